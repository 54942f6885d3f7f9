/** Many small entries, asked about in few calls into a page. */

/** Entries of one call. */
const SIZE = 50;

/**
 * A function from an entry to its answer, of `ask`, which takes a list of entries and resolves to a list of answers. The
 * first call for an entry asks about its whole batch. Where that fails, each entry of it is asked about alone, so that the
 * failure is that entry's.
 */
export function inBatches(entries, ask, size = SIZE) {
  const batches = new Map();
  return async (entry) => {
    const nth = entries.indexOf(entry);
    const start = nth - (nth % size);
    if (!batches.has(start)) batches.set(start, ask(entries.slice(start, start + size)).catch(() => undefined));
    const answers = await batches.get(start);
    return answers ? answers[nth - start] : (await ask([entry]))[0];
  };
}
