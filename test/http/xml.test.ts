import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { uncarriable } from '../../src/fields/text.ts'
import { treeOfXml as treeWithin } from '../../src/formats/xml/read-xml.ts'
import { xmlAroundItems, xmlOfItem, xmlOfTree } from '../../src/formats/xml/write-xml.ts'
import { limits } from '../../src/limits.ts'
import { Refusal } from '../../src/refusal.ts'
import { leastProcessorTime } from '../harness/processor-time.ts'

const treeOfXml = (xml: string) => treeWithin(xml, limits)

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const written = (root: string, tree: unknown) => xmlOfTree(root, tree).slice(declaration.length)

function refusalOf(xml: string): Refusal {
  try {
    treeOfXml(xml)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error(`it was read: ${xml.slice(0, 80)}`)
}

function requireWellFormed(xml: string): void {
  // Without an error handler the parser throws at the first fault.
  new SaxesParser({ xmlns: true }).write(xml).close()
}

/** What XML makes of a JSON tree: scalars are text, and what is empty is empty. */
function asText(tree: unknown): unknown {
  if (tree === null) return null
  if (Array.isArray(tree)) return tree.length === 0 ? '' : tree.map(asText)
  if (typeof tree !== 'object') return String(tree)
  const members = Object.entries(tree).map(([key, value]) => [key, asText(value)])
  return members.length === 0 ? '' : Object.fromEntries(members)
}

describe('a tree in XML (spec 1.2)', () => {
  test('writes a record with the names of the JSON', () => {
    const log = {
      id: '5',
      name: 'Kale & <more>',
      done: true,
      notes: { value: 'a\r\nb', format: 'farm_format' },
      log_category: [{ uri: 'http://f/taxonomy_term/1', id: '1', resource: 'taxonomy_term', name: 'Say "hi"\n' }],
      uid: { uri: 'http://f/user/3', id: '3', resource: 'user' },
      flags: [],
      geofield: [{ geom: 'POINT(1 2)' }],
      data: null,
      lot_number: '',
      uri: 'http://f/log/5',
      resource: 'log',
    }
    expect(written('log', log)).toBe(
      '<log><id>5</id><name>Kale &amp; &lt;more&gt;</name><done>true</done><notes><value>a&#13;\nb</value><format>farm_format</format></notes>' +
        '<log_category><item resource="taxonomy_term" id="1" name="Say &quot;hi&quot;&#10;">http://f/taxonomy_term/1</item></log_category>' +
        '<uid resource="user" id="3">http://f/user/3</uid><flags/><geofield><item><geom>POINT(1 2)</geom></item></geofield>' +
        '<data nil="true"/><lot_number/><uri>http://f/log/5</uri><resource>log</resource></log>',
    )
    expect(treeOfXml(xmlOfTree('log', log))).toEqual(asText(log))
  })

  test('a record that has only the keys of a reference is still written out at the root', () => {
    expect(written('file', { uri: 'u', id: '1', resource: 'file', name: 'n' })).toBe(
      '<file><uri>u</uri><id>1</id><resource>file</resource><name>n</name></file>',
    )
  })

  test('a list has its links and one element per record, or per reference', () => {
    const xmlOfList = (around: Parameters<typeof xmlAroundItems>[0], items: readonly string[]) => {
      const { before, behind } = xmlAroundItems(around)
      return before + items.join('') + behind
    }
    const links = { self: 'http://f/log?page=1&a=b', first: 'f', last: 'l', prev: 'p' }
    const items = [{ id: '1' }, { uri: 'u', id: '2', resource: 'log' }].map((item) => xmlOfItem('log', item))
    expect(xmlOfList(links, items)).toBe(
      `${declaration}<list><link rel="self" href="http://f/log?page=1&amp;a=b"/><link rel="first" href="f"/><link rel="last" href="l"/>` +
        '<link rel="prev" href="p"/><log><id>1</id></log><log resource="log" id="2">u</log></list>',
    )
    expect(xmlOfList({ self: 's' }, [])).toBe(`${declaration}<list><link rel="self" href="s"/></list>`)
  })

  test.each([
    ['<log><name>a</name></log>', { name: 'a' }],
    ['<anything/>', {}],
    ['<anything>\n  <!-- nothing -->\n</anything>', {}],
    ['<log>\n  <flags>\n    <item>priority</item>\n  </flags>\n</log>', { flags: ['priority'] }],
    ['<log><crop><item name="Lettuce"/></crop></log>', { crop: [{ name: 'Lettuce' }] }],
    ['<log><crop><item><name>Lettuce</name></item></crop></log>', { crop: [{ name: 'Lettuce' }] }],
    ['<log><area><item id="5"/></area></log>', { area: [{ id: '5' }] }],
    ['<log><area id="5">http://f/5</area></log>', { area: { id: '5', uri: 'http://f/5' } }],
    ['<log><area id="5"><name>x</name></area></log>', { area: { id: '5', name: 'x' } }],
    ['<log><data nil="true"/><name nil="false">x</name></log>', { data: null, name: 'x' }],
    ['<log><data><![CDATA[<a>&amp;]]]]><![CDATA[>]]></data></log>', { data: '<a>&amp;]]>' }],
    ['<log><data>a<!-- said -->b</data></log>', { data: 'ab' }],
    ['<log><data> \n</data></log>', { data: ' \n' }],
    ['<log><data>&lt;&#65;&#x1F33E;&#13;&quot;</data></log>', { data: '<A🌾\r"' }],
    ['<log><data>a\r\nb\rc</data></log>', { data: 'a\nb\nc' }],
    ['\ufeff<log><name>a</name></log>', { name: 'a' }],
    ["<?xml version='1.0' encoding='utf-8' standalone='yes'?><log><name>a</name></log>", { name: 'a' }],
    ['<list><item><id>1</id></item><item nil="true"/></list>', [{ id: '1' }, null]],
    ['<log><entry key="odd name">x</entry><entry>y</entry></log>', { 'odd name': 'x', entry: 'y' }],
  ])('reads %s', (xml, tree) => {
    expect(treeOfXml(xml)).toEqual(tree)
  })

  test('objects have no prototype to be spoiled', () => {
    const tree = treeOfXml(
      '<log><__proto__><polluted>1</polluted></__proto__><constructor>x</constructor></log>',
    ) as object
    expect(Object.getPrototypeOf(tree)).toBeNull()
    expect(Object.keys(tree)).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test.each([
    ['a key given twice', '<log><movement><area>1</area><area>2</area></movement></log>', 'movement.area'],
    ['a key as attribute and element', '<log><uid id="1"><id>1</id></uid></log>', 'uid.id'],
    ['text among elements', '<log><notes>a<value>b</value></notes></log>', 'notes'],
    ['text among items', '<log><flags>a<item>b</item></flags></log>', 'flags'],
    ['items among members', '<log><flags><item>b</item><c>d</c></flags></log>', 'flags'],
    ['nil with content', '<log><data nil="true">x</data></log>', 'data'],
    ['an unknown attribute', '<log><data size="5">x</data></log>', 'data'],
    ['a prefix', '<log><f:data>x</f:data></log>', 'f:data'],
    ['a namespace', '<log xmlns="http://example.org">x</log>', 'log'],
    [
      'XInclude',
      '<log><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/></log>',
      'xi:include',
    ],
  ])('refuses %s and names the place', (_what, xml, field) => {
    const refusal = refusalOf(xml)
    expect([refusal.status, refusal.details.faults?.[0]?.field]).toEqual([400, field])
  })

  test.each([
    '',
    'text',
    '<log>',
    '<log></lag>',
    '<log/><log/>',
    '<log>&nbsp;</log>',
    '<log>&#0;</log>',
    '<log>&#x1;</log>',
    '<log>&#xFFFF;</log>',
    '<log>&#xD800;</log>',
    '<log>\u0007</log>',
    '<log>\ufffe</log>',
    '<log>]]></log>',
    '<log a=1/>',
    '<log a="1" a="2"/>',
    '<log>a & b</log>',
    '<log><!-- a -- b --></log>',
    '<?php echo 1 ?><log/>',
    '<log><?target data?></log>',
    '<?xml version="1.1"?><log/>',
    '<?xml version="1.0" encoding="UTF-16"?><log/>',
    '<?xml version="1.0" encoding="UTF-7"?><log/>',
    '<?xml version="1.0" encoding="ISO-8859-1"?><log/>',
    '<!DOCTYPE log><log/>',
    '<!DOCTYPE log SYSTEM "http://127.0.0.1/x.dtd"><log/>',
    '<!DOCTYPE log [<!ENTITY a SYSTEM "file:///etc/passwd">]><log>&a;</log>',
    '\0<\0l\0o\0g\0/\0>',
  ])('refuses %j', (xml) => {
    expect(refusalOf(xml).refusal).toBe('unreadable-body')
  })
})

describe('limits, at the limit and one beyond', () => {
  const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)

  test('depth, elements, the part without files', () => {
    treeOfXml(nested(limits.depth))
    expect(refusalOf(nested(limits.depth + 1)).message).toContain('32 levels')
    const items = (count: number) => `<log>${'<item/>'.repeat(count - 1)}</log>`
    treeOfXml(items(limits.elements))
    expect(refusalOf(items(limits.elements + 1)).message).toContain('20000 elements')
    expect(refusalOf(`<log>${'<!---->'.repeat(3 * limits.elements)}</log>`).message).toContain('20000 elements')
    const long = (length: number) => `<a>${'x'.repeat(length - 7)}</a>`
    treeOfXml(long(limits.plainBytes))
    expect(refusalOf(long(limits.plainBytes + 1)).message).toContain('2 MiB')
    const photo = `data:image/jpeg;base64,${'/9j+'.repeat(1_000_000)}`
    const shown = [photo, `<![CDATA[${photo}]]>`, `\n${photo}`].map((spelled) => `<item>${spelled}</item>`)
    expect(treeOfXml(`<log><name>a</name><images>${shown[0]}${shown[1]}</images><data/></log>`)).toEqual({
      name: 'a',
      images: [photo, photo],
      data: '',
    })
    expect(refusalOf(`<log><images>${shown[2]}</images></log>`).status).toBe(413)
    expect(treeOfXml(`<log><data>${photo.slice(0, 30_000)}\r\nA</data></log>`)).toEqual({
      data: `${photo.slice(0, 30_000)}\nA`,
    })
  })

  const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
  test.each([
    ['a billion laughs', `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs}]><x>&l9;</x>`],
    ['a quadratic blow-up', `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(100_000)}">]><x>${'&a;'.repeat(100_000)}</x>`],
    ['a million references', `<x>${'&#65;'.repeat(1_000_000)}</x>`],
    ['deep nesting', '<a>'.repeat(1_000_000)],
    ['a million elements', `<x>${'<a/>'.repeat(1_000_000)}</x>`],
    ['many attributes', `<x ${Array.from({ length: 50_000 }, (_, i) => `a${i}="1"`).join(' ')}/>`],
    ['a long name', `<${'a'.repeat(5_000_000)}/>`],
    ['a long comment', `<x><!--${'-a'.repeat(2_500_000)}--></x>`],
    ['a comment of dashes', `<x><!--${'-a'.repeat(900_000)}--></x>`],
    ['a CDATA section of brackets', `<x><![CDATA[${']a'.repeat(900_000)}]]></x>`],
    ['references up to the size limit', `<x>${'&#65;'.repeat(400_000)}</x>`],
    ['an attribute again and again', `<x${' id="1"'.repeat(290_000)}/>`],
    ['files in a comment', `<x><!-- <y>${`data:a;base64,${'A'.repeat(10_000_000)}<`.repeat(3)}--></x>`],
    ['a file that is no file', `<x>data:a;base64,${'A'.repeat(20_000_000)}!</x>`],
    ['openings without an end', '<'.repeat(8_000_000)],
    ['openings with one end', `${'<a '.repeat(3_000_000)}>`],
    ['comments without an end', '<!--'.repeat(2_000_000)],
    ['empty comments', `<x>${'<!---->'.repeat(1_000_000)}</x>`],
    ['empty CDATA sections', `<x>${'<![CDATA[]]>'.repeat(1_000_000)}</x>`],
    ['a long instruction', `<x><?a ${'?a'.repeat(2_000_000)}?></x>`],
    ['a long doctype', `<!DOCTYPE x [${' '.repeat(5_000_000)}]><x/>`],
  ])('%s is refused in under half a second of processor time', async (_what, bomb) => {
    const before = process.memoryUsage().heapUsed
    expect(refusalOf(bomb).status).toBeGreaterThanOrEqual(400)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * 1024 * 1024)
    expect(await leastProcessorTime(() => refusalOf(bomb), { enough: 500 })).toBeLessThan(500)
  })
})

describe('whatever the tree', () => {
  const text = fc
    .oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom(...'a<>&"\'\r\n\t ]]\u0085\u2028🌾') }))
    .filter((value) => !uncarriable.test(value))
  const key = fc.oneof(
    fc.constantFrom(
      'name',
      'id',
      'uri',
      'resource',
      'item',
      'entry',
      'pt-br',
      'xml',
      'nil',
      '__proto__',
      '1',
      'a b',
      '',
    ),
    text,
  )
  const reference = fc.record(
    { uri: text.filter((value) => value.trim() !== ''), id: text, resource: text, name: text },
    { requiredKeys: ['uri', 'id', 'resource'] },
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, true, false, 0, 12.5, ''),
      text,
      reference,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
    ),
  }))

  test('what is written is well-formed with namespaces and reads back equal', () => {
    fc.assert(
      fc.property(fc.dictionary(key, tree, { maxKeys: 5 }), (record) => {
        const xml = xmlOfTree('log', record)
        requireWellFormed(xml)
        expect(treeOfXml(xml)).toEqual(Object.keys(record).length === 0 ? {} : asText(record))
      }),
      { numRuns: 3000 },
    )
  })

  test('even text that XML cannot carry leaves the document well-formed', () => {
    expect(written('a', { b: 'x\0\ud800\uffff\u0007y', '\u0001': 1 })).toBe(
      '<a><b>x\ufffd\ufffd\ufffd\ufffdy</b><entry key="\ufffd">1</entry></a>',
    )
  })

  test('any text at all is read or refused, never a bug', () => {
    const pieces = fc.constantFrom(
      '<a>',
      '</a>',
      '<a',
      '/>',
      '>',
      '<',
      ' id="1"',
      ' nil="true"',
      '&amp;',
      '&',
      ';',
      'x',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '<?',
      '?>',
      '<!',
      ' ',
      '\0',
      '<item>',
      '</item>',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 10 }), (parts) => {
        try {
          treeOfXml(parts.join(''))
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal)
        }
      }),
      { numRuns: 5000 },
    )
  })
})
