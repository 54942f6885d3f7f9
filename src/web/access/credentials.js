/** Credentials that are asked for once, and again when they end: all requests that wait share one question. */

/** Milliseconds before their end at which credentials are asked for again. */
const EARLY = 60_000;

/** Date and time with a space between them, as Python writes them; not all browsers read that. */
const SPACED = /^(\d{4}-\d\d-\d\d) (\d\d:\S+)$/;

/**
 * Milliseconds since 1970 of an end: a Date, text, or such a number. Those without an end never end. Those that are over as
 * they come, by this clock, are used until the service refuses them: else each request would ask for others.
 */
function timeOf({ expiration }, now) {
  if (expiration === undefined || expiration === null) return Infinity;
  const time = +new Date(typeof expiration === "string" ? expiration.replace(SPACED, "$1T$2") : expiration);
  if (Number.isNaN(time)) throw new TypeError("expiration of credentials must be a Date, a text that is one, or milliseconds since 1970");
  return time > now ? time : Infinity;
}

/** What a function gives, or a value, with the number of the time it was asked for. */
export class Credentials {
  #source;
  #check;
  #asked;
  #number = 0;

  /**
   * @param {unknown} source an object, or a function that returns one or a promise of one
   * @param {(found: any) => any} check returns what is used, or throws a TypeError that says what is wrong
   */
  constructor(source, check) {
    this.#source = source;
    this.#check = check;
    // An object is checked at once, where the caller's stack shows it.
    if (typeof source !== "function") check(source);
  }

  /** Whether they can be asked for again. */
  get canRenew() {
    return typeof this.#source === "function";
  }

  /**
   * The current credentials, with their number.
   *
   * @param {number} now milliseconds since 1970, by the service's clock
   * @returns {Promise<{ found: any, number: number, end: number, isShort: boolean }>}
   */
  async current(now) {
    this.#asked ??= this.#ask(now);
    const asked = this.#asked;
    const current = await asked;
    // Those that came with less than a minute left are used to their end.
    const early = current.isShort ? 0 : EARLY;
    if (!this.canRenew || current.end - early > now) return current;
    if (this.#asked === asked) this.#asked = this.#ask(now);
    return this.#asked;
  }

  /**
   * Asks again, unless others than those of this number are there by now.
   *
   * @param {number} number of the credentials that were refused
   * @param {number} now milliseconds since 1970, by the service's clock
   * @returns {boolean} whether there may be others
   */
  renew(number, now) {
    if (!this.canRenew) return false;
    if (number === this.#number) this.#asked = this.#ask(now);
    return true;
  }

  #ask(now) {
    const number = ++this.#number;
    const asked = (async () => {
      const found = this.#check(typeof this.#source === "function" ? await this.#source() : this.#source);
      const end = timeOf(found, now);
      return { found, number, end, isShort: end - EARLY <= now };
    })();
    // A question that failed is asked again by the next request.
    asked.catch(() => {
      if (this.#number === number) this.#asked = undefined;
    });
    return asked;
  }
}
