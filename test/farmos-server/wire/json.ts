const hex = (code: number): string => `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`

/** JSON as PHP writes it: `/` has a backslash, and what is not plain ASCII or means something in HTML is a number. */
export const phpJson = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/\\\\|\\"/g, (pair) => (pair === '\\"' ? '\\u0022' : pair))
    .replace(/\//g, '\\/')
    .replace(/[<>&']/g, (sign) => hex(sign.charCodeAt(0)))
    .replace(/[\u0080-\uffff]/g, (sign) => hex(sign.charCodeAt(0)).toLowerCase())
