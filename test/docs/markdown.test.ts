import { describe, expect, test } from 'vitest'
import { renderPage } from '../../build/documentation.mjs'

const place = { path: 'docs/operating.md', paths: ['README.md', 'docs/operating.md', 'docs/rules/location.md'] }
const htmlOf = (markdown: string): string => renderPage(`# Title\n\n${markdown}`, place).html

describe('a page of the documentation, as the farm serves it', () => {
  test('has its title apart, and a list of its contents that leads to each heading', () => {
    const { title, html } = renderPage('# Corn & `oats`\n\n## A *first* one\n\n### Deeper\n\n## A first one\n', place)
    expect(title).toBe('Corn & oats')
    expect(html).not.toContain('<h1')
    expect(html).toContain('<li><a href="#a-first-one">A first one</a></li>\n<li class="deeper"><a href="#deeper">')
    expect(html).toContain('<h2 id="a-first-one">A <em>first</em> one</h2>')
    expect(html).toContain('<h2 id="a-first-one-1">')
  })

  test('without a title is refused when it is built', () => {
    expect(() => renderPage('No title', place)).toThrow('docs/operating.md has no heading of the first level')
  })

  test.each([
    ['rules/location.md', '<a href="/docs/rules/location">'],
    ['rules/location.md#example', '<a href="/docs/rules/location#example">'],
    ['../README.md', '<a href="/docs/readme">'],
    ['#here', '<a href="#here">'],
    ['https://example.org/?a=1&b=2', '<a href="https://example.org/?a=1&amp;b=2">'],
    ['rules/', '<a href="/docs">'],
  ])('leads to %s', (link, expected) => {
    expect(htmlOf(`[x](${link})`)).toContain(`${expected}x</a>`)
  })

  test.each(['../src/main.ts', 'javascript:alert(1)', 'JAVASCRIPT:alert(1)', 'data:text/html,x', '../../etc/passwd'])(
    'does not lead to %s, of which only the words stay',
    (link) => {
      expect(htmlOf(`see [x](${link})`)).toContain('<p>see x</p>')
    },
  )

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'text <b onclick="x">bold</b>',
    '<!-- comment -->',
    '![<img src=x>](https://elsewhere.example/x.png)',
    '`<script>`',
    '```html\n<script>\n```',
    '| a |\n|---|\n| <script>x</script> |',
    '## <img src=x>',
    '<https://example.org/"onmouseover="x>',
  ])('lets no markup pass: %s', (markdown) => {
    const html = htmlOf(markdown).replace(
      /<\/?(?:p|pre|code|div|table|thead|tbody|tr|h2|nav|ul|li)(?: (?:class|id|tabindex|aria-label)="[^"<>]*")*>/g,
      '',
    )
    expect(html).not.toMatch(/<(?!th scope="col">|\/th>|td data-label="[^"<>]*">|\/td>|a href="[^"<>]*">|\/a>)/)
  })

  test('shows the pictures that the farm serves, and of others only the words', () => {
    expect(htmlOf('![The "map"](pictures/map.webp)')).toContain(
      '<img src="/docs/pictures/map.webp" alt="The &quot;map&quot;">',
    )
    for (const elsewhere of ['pictures/none.webp', '../web/icons/icon-192.png', 'https://elsewhere.example/map.webp'])
      expect(htmlOf(`![The map](${elsewhere})`)).toContain('<p>The map</p>')
  })

  test('has tables whose cells know their column', () => {
    expect(htmlOf('| a "b" | c |\n|---|---|\n| 1 | 2 |')).toContain(
      '<td data-label="a &quot;b&quot;">1</td><td data-label="c">2</td>',
    )
  })
})
