const kept = 'a|em|strong|cite|blockquote|code|ul|ol|li|dl|dt|dd'
const block = 'blockquote|ul|ol|li|dl|dt|dd'

/** What is read is not what was typed: other tags are gone, lines are paragraphs, addresses are links. */
export const renderedNote = (typed: string): string => inParagraphs(withLinks(withoutOtherTags(typed)))

/** The description of a term lets no tag through. */
export const renderedDescription = (typed: string): string =>
  typed === '' ? '' : inParagraphs(withLinks(escaped(typed)))

export const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;')

function withoutOtherTags(typed: string): string {
  const tag = new RegExp(`^</?(${kept})(\\s[^<>]*)?/?>$`, 'i')
  return typed
    .replace(/&(?!#?\w+;)/g, '&amp;')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<\/?[a-z][^<>]*>/gi, (found) => (tag.test(found) ? found : ''))
    .replace(/<(?!\/?[a-z])/gi, '&lt;')
}

const linked =
  /<a\s[^>]*>[\s\S]*?<\/a>|<[^>]*>|(https?:\/\/[^\s<>"']+[^\s<>"'.,:;?!)])|([\w.+-]+@[\w-]+\.[\w.-]*\w)|(\bwww\.[^\s<>"']+[^\s<>"'.,:;?!)])/gi

function withLinks(text: string): string {
  return text.replace(linked, (found: string, address?: string, mail?: string, site?: string) => {
    if (address !== undefined) return `<a href="${address}">${shortened(address)}</a>`
    if (mail !== undefined) return `<a href="mailto:${mail}">${mail}</a>`
    if (site !== undefined) return `<a href="http://${site}">${shortened(site)}</a>`
    return found
  })
}

/** The text of an automatic link ends after 72 characters; its address does not. */
const shortened = (address: string): string => (address.length > 72 ? `${address.slice(0, 69)}...` : address)

function inParagraphs(text: string): string {
  if (text.trim() === '') return ''
  const paragraphs = text
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n{2,}/)
  return paragraphs
    .map((paragraph) => (isBlock(paragraph) ? `${paragraph}\n` : `<p>${inLines(paragraph)}</p>\n`))
    .join('')
}

const isBlock = (paragraph: string): boolean => new RegExp(`^<(${block})\\b`, 'i').test(paragraph)
const inLines = (paragraph: string): string => paragraph.replaceAll('\n', '<br />\n')
