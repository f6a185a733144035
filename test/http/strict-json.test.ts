import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { uncarriable } from '../../src/fields/text.ts'
import { strictJson } from '../../src/formats/json/read-json.ts'
import { limits } from '../../src/limits.ts'
import { Refusal } from '../../src/refusal.ts'

const read = (text: string | Buffer) => strictJson(Buffer.from(text as string))

function refusalOf(text: string | Buffer): Refusal {
  try {
    read(text)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error(`it was read: ${String(text).slice(0, 80)}`)
}

const carriable = fc.string({ unit: 'grapheme' }).filter((text) => !uncarriable.test(text))

describe('JSON is read as JSON.parse reads it', () => {
  test('whatever the value', () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(null, true, false),
        fc.integer(),
        carriable,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(carriable, tie('tree'), { maxKeys: 4 }),
      ),
    }))
    const spellings = fc.constantFrom<(value: unknown) => string>(
      (value) => JSON.stringify(value),
      (value) => JSON.stringify(value, null, 2),
      (value) =>
        JSON.stringify(value).replace(
          /[^\0-\x7f]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
      (value) => ` \r\n\t${JSON.stringify(value).replaceAll('/', '\\/')} `,
    )
    fc.assert(
      fc.property(tree, spellings, (value, spell) => {
        expect(read(spell(value))).toEqual(JSON.parse(spell(value)))
      }),
      { numRuns: 2000 },
    )
  })

  test('refuses every text that JSON.parse refuses', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '\\',
      '\\u00',
      '1',
      '-',
      '.5',
      'e',
      'true',
      'nul',
      ' ',
      '\t',
      '\0',
      'é',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const text = parts.join('')
        let expected: unknown
        try {
          expected = JSON.parse(text)
        } catch {
          expect(refusalOf(text).refusal).toBe('unreadable-body')
          return
        }
        const keysGivenTwice = /"a":.*"a":/.test(text)
        if (!keysGivenTwice) expect(JSON.stringify(read(text))).toBe(JSON.stringify(expected))
      }),
      { numRuns: 5000 },
    )
  })
})

/** Has no names, is given none, and has nothing above it. */
const inheritsNothing = (above: object): boolean =>
  Reflect.ownKeys(above).length === 0 && !Object.isExtensible(above) && Object.getPrototypeOf(above) === null

describe('but never guesses', () => {
  test('a key that is given twice is refused by name and place, also when one is escaped', () => {
    expect(refusalOf('{"quantity":[{},{"value":1,"value":2}]}').details.faults).toEqual([
      { field: 'quantity.1.value', message: '"value" is given twice.' },
    ])
    expect(refusalOf('{"name":1,"n\\u0061me":2}').status).toBe(400)
    expect(read('{"a":{"x":1},"b":{"x":1}}')).toEqual({ a: { x: 1 }, b: { x: 1 } })
  })

  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'the key %s is a key like others',
    (key) => {
      const tree = read(`{"${key}":{"polluted":1}}`) as object
      expect(Object.keys(tree)).toEqual([key])
      expect(key in (read('{}') as object)).toBe(false)
      expect(Object.getPrototypeOf(tree)).toSatisfy(inheritsNothing)
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    },
  )

  test.each([
    ['5', 5],
    ['-12.5', -12.5],
    ['0', 0],
    ['1586400000', 1586400000],
    ['999999999999999', 999999999999999],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['9007199254740993', '9007199254740993'],
    ['9007199254740994', '9007199254740994'],
    ['-10000000000000000', '-10000000000000000'],
    ['12345678901234567890', '12345678901234567890'],
    ['0.1234567890123456789012', '0.1234567890123456789012'],
    ['1.50', '1.50'],
    ['1.0', '1.0'],
    ['-0', '-0'],
    ['1e3', 1000],
    ['1.5E+3', 1500],
    ['25e-1', 2.5],
    ['1e-7', 1e-7],
    ['1e309', '1e309'],
    ['9007199254740993e0', '9007199254740993'],
    ['1e16', '10000000000000000'],
    ['-1E+21', '-1000000000000000000000'],
    ['0.12345678901234567890e3', '123.45678901234567890'],
    ['12345678901234567890e-25', '0.0000012345678901234567890'],
    ['12345678901234567890e-20', '0.12345678901234567890'],
    ['-0e0', '-0'],
    ['1e31', '1e31'],
  ])('the number %s arrives as %o', (literal, expected) => {
    expect(read(literal)).toBe(expected)
    expect(read(`[${literal}]`)).toEqual([expected])
  })

  test.each(['012', '0x10', '+1', '.5', '5.', '1e', 'NaN', 'Infinity', '-', '1_000'])('%s is no number', (literal) => {
    expect(refusalOf(`{"value":${literal}}`).details.faults?.[0]?.field).toBe('value')
  })
})

describe('characters', () => {
  test.each([
    ['NUL', '\\u0000', 'U+0000'],
    ['a bell', '\\u0007', 'U+0007'],
    ['a backspace', '\\b', 'U+0008'],
    ['a form feed', '\\f', 'U+000C'],
    ['half a pair, high', '\\ud83c', 'U+D83C'],
    ['half a pair, low', '\\udf3e', 'U+DF3E'],
    ['halves in the wrong order', '\\udf3e\\ud83c', 'U+DF3E'],
    ['a noncharacter, escaped', '\\uffff', 'U+FFFF'],
    ['a noncharacter, raw', '\ufffe', 'U+FFFE'],
    ['a raw line end', '\n', 'U+000A'],
    ['a raw NUL', '\0', 'U+0000'],
  ])('%s is 400 and names its place', (_what, spelled, name) => {
    const refusal = refusalOf(`{"notes":{"value":"a${spelled}b"}}`)
    expect(refusal.refusal).toBe('unreadable-body')
    expect(refusal.details.faults?.[0]?.field).toBe('notes.value')
    expect(refusal.message).toContain(name)
  })

  test('tab, line ends, a whole pair, direction marks, zero width and both normal forms stay as they are', () => {
    const text = 'a\t\r\n🌾\u202e\u200b\u00e9e\u0301İıſK\u0085\u007f\u2028'
    expect(read(JSON.stringify(text))).toBe(text)
    expect(read('"\\ud83c\\udf3e"')).toBe('🌾')
  })

  test('what is not UTF-8 is refused: overlong, half a character, a surrogate in bytes, UTF-16', () => {
    for (const bytes of [
      [0x22, 0xc0, 0x80, 0x22],
      [0x22, 0xe2, 0x82, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0xff, 0xfe, 0x35, 0],
    ]) {
      expect(refusalOf(Buffer.from(bytes)).message).toContain('UTF-8')
    }
  })

  test('one byte order mark at the start is forgiven (RFC 8259 section 8.1), elsewhere not', () => {
    expect(read('\ufeff{"a":1}')).toEqual({ a: 1 })
    expect(refusalOf('\ufeff\ufeff{}').status).toBe(400)
  })
})

describe('limits, at the limit and one beyond', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const nestedObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join(',')}}`

  test('depth', () => {
    read(nested(limits.depth))
    read(nestedObjects(limits.depth))
    expect(refusalOf(nested(limits.depth + 1)).message).toContain('32 levels')
    expect(refusalOf(nestedObjects(limits.depth + 1)).status).toBe(413)
    expect(refusalOf('['.repeat(200_000)).status).toBe(413)
  })

  test('keys', () => {
    read(keys(limits.keys))
    expect(refusalOf(keys(limits.keys + 1)).message).toContain('10000 keys')
  })

  test('the part without files', () => {
    const padded = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`
    read(padded(limits.plainBytes))
    expect(refusalOf(padded(limits.plainBytes + 1)).message).toContain('2 MiB')
    expect(refusalOf(`[${'0,'.repeat(3_000_000)}0]`).status).toBe(413)
    const photo = `data:image/jpeg;base64,${'/9j+'.repeat(2_500_000)}`
    expect(read(JSON.stringify({ images: [photo, photo] }))).toEqual({ images: [photo, photo] })
  })
})
