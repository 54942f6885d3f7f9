/** Guard of an array's data type: `array.is("float32")`, as zarrita has it. */

/** Data types by the kind of their items in JavaScript. */
const KINDS = { number: /^(u?int(2|4|8|16|32)|b?float\d+(_\w+)?)$/, bigint: /^u?int64$/, string: /^(string|fixed_length_utf32)$/ };

/** Adds `is` to a class. */
export function typed(opened) {
  opened.prototype.is = function (query) {
    const { dtype } = this;
    return dtype === query || Boolean(Object.hasOwn(KINDS, query) && KINDS[query].test(dtype));
  };
  return opened;
}
