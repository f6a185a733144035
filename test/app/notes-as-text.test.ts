import './english-words.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkedText, plainText } from '../../web/screens/record/notes.tsx'
import { leastProcessorTime } from '../harness/processor-time.ts'

describe('a note', () => {
  it.each([
    [
      'stays as it was written',
      'Gate open.\nTrough dry,  2 cm\n\n- tell Anna',
      'Gate open.\nTrough dry,  2 cm\n\n- tell Anna',
    ],
    ['keeps what is only less than', 'pH < 6 and 5 > 3, a<b', 'pH < 6 and 5 > 3, a<b'],
    ['keeps words in angles that are no HTML', 'see <north field> and <1>', 'see <north field> and <1>'],
    ['keeps entities of text that is no HTML', 'Fish &amp; chips', 'Fish &amp; chips'],
    ['has line breaks of one kind', 'one\r\ntwo\rthree', 'one\ntwo\nthree'],
    ['keeps a tag that never ends', 'weigh <b or so', 'weigh <b or so'],
  ])('a note %s', (_, note, text) => expect(plainText(note)).toBe(text))
})

describe('a note that came as HTML', () => {
  it.each([
    [
      'becomes lines',
      '<p>Gate <b>open</b>.</p>\n<p>Trough&nbsp;dry<br>since Friday</p>',
      'Gate open.\n\nTrough dry\nsince Friday',
    ],
    ['becomes a list', '<ul><li>hay</li><li>salt</li></ul>', '• hay\n\n• salt'],
    [
      'shows the address behind a link',
      '<a href="https://farm.example/?a=1&amp;b=2">the vet</a>',
      'the vet (https://farm.example/?a=1&b=2)',
    ],
    ['shows what a picture is said to be', '<p><img src="x.png" alt="A calf"> born</p>', 'A calf born'],
    [
      'reads letters by name and number',
      '<p>K&auml;se &#8364; 3 &#x2013; &unknown; &lt;b&gt;</p>',
      'Käse € 3 – &unknown; <b>',
    ],
    ['keeps a less-than between its tags', '<p>pH < 6</p>', 'pH < 6'],
  ])('a note that came as HTML %s', (_, note, text) => expect(plainText(note)).toBe(text))
})

describe('a hostile note', () => {
  it.each([
    ['a script', '<p>hi</p><script>alert(1)</script>there', 'hi\nthere'],
    ['a script that never ends', '<p>hi<script>alert(1)', 'hi'],
    ['a script in capitals', '<P>hi<SCRIPT SRC=//evil.example/x.js></SCRIPT >ho', 'hiho'],
    ['a script in a script', '<p><scr<script>x</script>ipt>alert(1)</p>', '<script>alert(1)'],
    ['a picture that runs', '<img src=x onerror=alert(1)>hi', 'hi'],
    ['a picture with a quoted end', '<img alt="a>b" src="x" onerror="alert(\'>\')">hi', 'a>bhi'],
    ['a drawing', '<svg onload=alert(1)><text>x</text></svg>hi', 'hi'],
    ['a style', '<style>@import "//evil.example"</style>hi', 'hi'],
    ['a link that runs', '<a href="javascript:alert(1)">press</a>', 'press'],
    ['a link that runs, hidden', '<a href=" java\nscript:alert(1)">press</a>', 'press'],
    ['a link by letters', '<a href="&#106;avascript:alert(1)">press</a>', 'press'],
    ['a link with data', "<a href='data:text/html,<script>1</script>'>press</a>", 'press'],
    ['a comment', '<p>a<!-- <script>x</script> -->b</p>', 'ab'],
    ['a comment that never ends', '<p>a<!-- b', 'a'],
    ['a frame', '<iframe srcdoc="<script>1</script>">x</iframe>hi', 'hi'],
    ['letters that would be tags', '<p>&lt;img src=x onerror=alert(1)&gt;</p>', '<img src=x onerror=alert(1)>'],
    ['a letter that is none', '<p>a&#0;&#x110000;&#55296;b</p>', 'ab'],
    ['a word of the language', '<p>&toString; &valueOf;</p>', '&toString; &valueOf;'],
    ['a form', '<form action="//evil.example"><input value="x"><button>Go</button></form>', 'Go'],
    ['a meta tag', '<meta http-equiv="refresh" content="0;url=//evil.example">hi', 'hi'],
  ])('with %s is only words', (_, note, text) => expect(plainText(note)).toBe(text))

  it('takes little work, however it is built', async () => {
    for (const piece of [
      '<',
      '<a ',
      '<a href="',
      '<!--',
      '<script>',
      '</',
      '&#',
      '<p a=\'"',
      '<b "',
      '<script></script>',
      'https://x.example/))))))))',
    ]) {
      const work = () => linkedText(plainText(piece.repeat(40_000)))
      expect(await leastProcessorTime(work, { enough: 1500 }), piece).toBeLessThan(1500)
    }
  })

  it('keeps every word of a text without tags', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/[<\r]/.test(text)),
        (text) => {
          expect(plainText(text)).toBe(text)
          expect(
            linkedText(text)
              .map((piece) => piece.text)
              .join(''),
          ).toBe(text)
        },
      ),
    )
  })
})

describe('a link in a note', () => {
  const links = (text: string): (string | undefined)[] =>
    linkedText(text).flatMap(({ href }) => (href === undefined ? [] : [href]))

  it.each([
    ['See https://farm.example/a?b=1.', ['https://farm.example/a?b=1']],
    [
      '(https://en.wikipedia.org/wiki/Rust_(fungus)) and http://b.example,',
      ['https://en.wikipedia.org/wiki/Rust_(fungus)', 'http://b.example'],
    ],
    ['HTTPS://FARM.EXAMPLE', ['HTTPS://FARM.EXAMPLE']],
    ['javascript:alert(1) ftp://x.example //x.example www.x.example', []],
    ['xhttps://no.example http:// https://', []],
    ['javascript:alert("https://x.example")', ['https://x.example']],
    ['https://x.example/\u202Egnp.exe', ['https://x.example/']],
  ])('finds every http and https address in %s', (text, found) => expect(links(text)).toEqual(found))
})
