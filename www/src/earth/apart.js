// Lays labels over a picture as far as there is room for them: none over another, none that its edge cuts off.

/** `root` gets those of the labels that fit, the first ones before the others. */
export function layApart(root, labels) {
  root.replaceChildren(...labels);
  const edge = root.getBoundingClientRect();
  if (!edge.width) return; // nobody sees them
  const boxes = labels.map((label) => label.getBoundingClientRect()); // all at once, as each that goes would have the page laid out anew
  const laid = [];
  boxes.forEach((box, i) => {
    const isCut = box.left < edge.left || box.right > edge.right || box.top < edge.top || box.bottom > edge.bottom;
    const isOver = ({ left, right, top, bottom }) => box.left < right && left < box.right && box.top < bottom && top < box.bottom;
    if (isCut || laid.some(isOver)) labels[i].remove();
    else laid.push(box);
  });
}
