import { uncarriable, unprintable } from './text.ts'

/** The limit of file systems. */
const longestInBytes = 255

/** Path separators, and characters that steer a terminal, a line or the direction of a text. */
const unfit = new RegExp(`[/\\\\]|${unprintable.source}|${uncarriable.source}`, 'gu')

/** A name that somebody gave to a file, as it is kept; undefined where it says nothing. */
export function soundFileName(sent: string): string | undefined {
  const name = sent.normalize('NFC').replace(unfit, '_').replace(/^\./, '_')
  return name.trim() === '' ? undefined : shortened(name)
}

/** Cuts whole characters before the ending, which tells what a file is. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= longestInBytes) return name
  const [ending = ''] = /\.\w{1,10}$/.exec(name) ?? []
  let room = longestInBytes - Buffer.byteLength(ending)
  let kept = ''
  for (const character of name) {
    room -= Buffer.byteLength(character)
    if (room < 0) break
    kept += character
  }
  return kept + ending
}

const uncarriableOnes = new RegExp(uncarriable, 'gu')

/** A name as the last segment of an address (RFC 3986, section 3.3). Dots alone would lead elsewhere. */
export const nameInAddress = (name: string): string =>
  /^\.{0,2}$/.test(name) ? '_' : encoded(name.replace(uncarriableOnes, '_'))

/** Everything but letters, digits and `-._~!` as UTF-8 in percents: also fit for RFC 8187. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * True if the last segment of an address means a file of that name. Old addresses had raw names, which programs may
 * have percent-encoded or cut at `?` or `#`.
 */
export function isInAddress(name: string, segment: string): boolean {
  if (segment === name || segment === nameInAddress(name)) return true
  const read = segment.replace(/(?:%[\da-f]{2})+/gi, decodedOrNot)
  return read === name || read === name.split(/[?#]/, 1)[0]
}

function decodedOrNot(percents: string): string {
  try {
    return decodeURIComponent(percents)
  } catch {
    return percents
  }
}
