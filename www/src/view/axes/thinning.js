// Leaves some of the labels of a bar of narrow chunks, which have room over the chunks beside theirs. Loaded with the first such bar.

const APART = 4; // pixels between two labels

/** Chooses among labels that are as brief as they can be, of `{ segment, block, label }` on a bar of so many pixels that shows cells `from` to `to`: years before months, and these before days. */
export function thin(list, width, [from, to]) {
  const shown = [];
  const pixels = width / (to - from);
  const rankOf = ({ label: { textContent }, segment }) => (segment.start === from || /^-?\d{3,}$/.test(textContent) ? 2 : Number(/[A-Z]/.test(textContent)));
  const chosen = list.toSorted((a, b) => rankOf(b) - rankOf(a)).map((one) => {
    const now = { at: ((one.segment.start + one.segment.stop) / 2) * pixels, wide: one.label.offsetWidth };
    const isFree = shown.every(({ at, wide }) => Math.abs(at - now.at) >= (wide + now.wide) / 2 + APART);
    if (isFree) shown.push(now);
    return { block: one.block, isFree, isWide: now.wide > one.block.clientWidth };
  });
  for (const { block, isFree, isWide } of chosen) {
    block.classList.toggle("cut", !isFree);
    block.classList.toggle("over", isFree && isWide);
  }
}
