// The labels over an image in a link: their name, and how many per cent of the image they cover.

export const USUAL_OPACITY = 50;

/** The labels that a text of a link means, `{ name, opacity }`; undefined where it means none. */
export function labelsIn(text) {
  const [, name, opacity = USUAL_OPACITY] = /^([^,].*?)(?:,(\d{1,3}))?$/.exec(text ?? "") ?? [];
  return name && opacity >= 1 && opacity <= 100 ? { name, opacity: Number(opacity) } : undefined;
}

/** The text of labels for a link. */
export const labelsText = ({ name, opacity }) => `${name}${opacity === USUAL_OPACITY ? "" : `,${opacity}`}`;
