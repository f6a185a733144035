import { uncarriable, unprintable } from '../../src/fields/text.ts'

/**
 * The source sends rendered text: paragraphs, line breaks, links made of addresses, and entities. This turns those
 * back; other tags stay.
 */
export function writtenText(rendered: string): string {
  const lines = rendered
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/<br\s*\/?>\n?/gi, '\n')
    .replaceAll(/<\/p>\s*/gi, '\n\n')
    .replaceAll(/\s*<p(?:\s[^>]*)?>/gi, '\n\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/^\n+|\n+$/g, '')
  return withoutEntities(withoutAutomaticLinks(lines))
}

const link = /<a href="([^"]*)">([^<]*)<\/a>/g

const withoutAutomaticLinks = (text: string): string =>
  text.replaceAll(link, (whole, address: string, shown: string) =>
    isMadeOf(address, shown) ? writtenAs(address, shown) : whole,
  )

/** A link written by a user has another text than its address. Long addresses are shown cut. */
function isMadeOf(address: string, shown: string): boolean {
  const known = [address, address.replace(/^mailto:/, ''), address.replace(/^http:\/\//, '')]
  const cut = /^(.{8,})(?:\.\.\.|…)$/s.exec(shown)?.[1]
  return known.includes(shown) || (cut !== undefined && known.some((one) => one.startsWith(cut)))
}

function writtenAs(address: string, shown: string): string {
  if (address === `mailto:${shown}` || address === `http://${shown}`) return shown
  if (shown.startsWith('www.')) return address.replace(/^http:\/\//, '')
  return address.replace(/^mailto:/, '')
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', amp: '&' }

function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    const isCharacter = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    return isCharacter || code === 9 || code === 10 ? String.fromCodePoint(code) : whole
  })
}

const controls = new RegExp(unprintable, 'g')

/** A text of one line. Control characters and bidirectional overrides become spaces. */
export const oneLine = (text: string): string => carriable(text.replaceAll(controls, ' '))

const everyUncarriable = new RegExp(uncarriable, 'gu')

/** A text of many lines. Characters that no text here may hold become spaces. */
export const carriable = (text: string): string => text.replaceAll(everyUncarriable, ' ')
