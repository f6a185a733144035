import { uncarriable } from '../../fields/characters.ts'

const meanings: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

const meaningOf = (character: string) => meanings[character] ?? character

/** Text between tags. A carriage return is written as a reference, or a reader would take it for a line end. */
export const textOf = (text: string) => carriable(text).replace(/[&<>\r]/g, meaningOf)

/** An attribute's value, in double quotes. Readers turn raw tabs and line ends in it into spaces. */
export const attributeOf = (text: string) => `"${carriable(text).replace(/[&<>"\t\n\r]/g, meaningOf)}"`

const eachUncarriable = new RegExp(uncarriable, 'gu')

/** Records never hold what XML cannot carry, but a refusal may quote what it refuses. */
const carriable = (text: string) => (uncarriable.test(text) ? text.replace(eachUncarriable, '\ufffd') : text)
