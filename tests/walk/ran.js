/** The numbers of the functions of WebAssembly that ran since the last `clear()`. */
export const numbers = new Set();

export function ran(number) {
  numbers.add(number);
}
