/** A QR code (ISO/IEC 18004) of the text as UTF-8, at level M: true is dark. Texts of up to 213 bytes fit. */
export function qrModules(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text)
  const version = layouts.find((layout) => bytes.length <= capacityOf(layout))
  if (version === undefined) throw new Error(`A text of ${bytes.length} bytes is too long for a code.`)
  const frame = frameOf(version)
  const filled = placed(frame, codewordsOf(bytes, version))
  const ways = masks.map((_, mask) => masked(filled, frame, mask))
  return ways.reduce((best, next) => (penaltyOf(next) < penaltyOf(best) ? next : best))
}

interface Layout {
  readonly version: number
  /** Codewords of error correction in each block. */
  readonly correction: number
  /** Codewords of data in each block. */
  readonly blocks: readonly number[]
  /** The centres of the alignment patterns, in both directions. */
  readonly centres: readonly number[]
}

const layout = (
  version: number,
  correction: number,
  blocks: readonly number[],
  centres: readonly number[],
): Layout => ({
  version,
  correction,
  blocks,
  centres,
})

/** Level M of the versions 1 to 10. */
const layouts: readonly Layout[] = [
  layout(1, 10, [16], []),
  layout(2, 16, [28], [6, 18]),
  layout(3, 26, [44], [6, 22]),
  layout(4, 18, [32, 32], [6, 26]),
  layout(5, 24, [43, 43], [6, 30]),
  layout(6, 16, [27, 27, 27, 27], [6, 34]),
  layout(7, 18, [31, 31, 31, 31], [6, 22, 38]),
  layout(8, 22, [38, 38, 39, 39], [6, 24, 42]),
  layout(9, 22, [36, 36, 36, 37, 37], [6, 26, 46]),
  layout(10, 26, [43, 43, 43, 43, 44], [6, 28, 50]),
]

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
const sizeOf = ({ version }: Layout): number => 17 + 4 * version
const countBits = ({ version }: Layout): number => (version < 10 ? 8 : 16)
const capacityOf = (version: Layout): number => sum(version.blocks) - Math.ceil((4 + countBits(version)) / 8)

/** Data and error correction, block by block, in the order in which they are placed. */
function codewordsOf(bytes: Uint8Array, version: Layout): number[] {
  const data = dataOf(bytes, version)
  let at = 0
  const blocks = version.blocks.map((length) => {
    at += length
    return data.slice(at - length, at)
  })
  const corrections = blocks.map((block) => correctionOf(block, version.correction))
  return [...woven(blocks), ...woven(corrections)]
}

/** The first of each, then the second of each, and so on. */
function woven(blocks: readonly (readonly number[])[]): number[] {
  const longest = Math.max(...blocks.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => blocks.flatMap((block) => block[at] ?? [])).flat()
}

/** Byte mode, the length, the bytes, and what fills the rest. */
function dataOf(bytes: Uint8Array, version: Layout): number[] {
  const room = sum(version.blocks) * 8
  let bits = binary(0b0100, 4) + binary(bytes.length, countBits(version))
  for (const byte of bytes) bits += binary(byte, 8)
  bits += '0'.repeat(Math.min(4, room - bits.length))
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0')
  const given = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  const filling = Array.from({ length: room / 8 - given.length }, (_, at) => (at % 2 === 0 ? 0xec : 0x11))
  return [...given, ...filling]
}

const binary = (value: number, length: number): string => value.toString(2).padStart(length, '0')

/** Powers of two in the field of 256 elements, and their logarithms. */
const powers: number[] = []
const logarithms: number[] = []
for (let at = 0, value = 1; at < 255; at++) {
  powers[at] = value
  logarithms[value] = at
  value = value < 128 ? value * 2 : (value * 2) ^ 0x11d
}

const times = (one: number, other: number): number =>
  one === 0 || other === 0 ? 0 : (powers[((logarithms[one] ?? 0) + (logarithms[other] ?? 0)) % 255] ?? 0)

/** The remainder by the generator of Reed and Solomon. */
export function correctionOf(data: readonly number[], length: number): number[] {
  let generator = [1]
  for (let root = 0; root < length; root++) {
    generator = [...generator, 0].map((value, at) => value ^ times(generator[at - 1] ?? 0, powers[root] ?? 0))
  }
  const rest = [...data, ...Array<number>(length).fill(0)]
  for (let at = 0; at < data.length; at++) {
    const factor = rest[at] ?? 0
    for (const [step, value] of generator.entries()) rest[at + step] = (rest[at + step] ?? 0) ^ times(value, factor)
  }
  return rest.slice(data.length)
}

/** What is set before there are data; null is free. */
type Frame = (boolean | null)[][]

function frameOf(version: Layout): Frame {
  const size = sizeOf(version)
  const frame: Frame = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null))
  const set = (row: number, column: number, dark: boolean) => {
    const line = frame[row]
    if (line !== undefined && column >= 0 && column < size) line[column] = dark
  }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    square(set, { row, column, reach: 4 })
  const { centres } = version
  const last = centres.at(-1)
  for (const row of centres)
    for (const column of centres) {
      const isFinder = (row === 6 && (column === 6 || column === last)) || (row === last && column === 6)
      if (!isFinder) square(set, { row, column, reach: 2 })
    }
  for (let at = 8; at < size - 8; at++) {
    set(6, at, at % 2 === 0)
    set(at, 6, at % 2 === 0)
  }
  setFormat(set, size, 0)
  setVersion(set, size, version.version)
  return frame
}

type SetModule = (row: number, column: number, dark: boolean) => void

interface Square {
  readonly row: number
  readonly column: number
  /** How far from its centre it goes; 4 is a finder with the light line around it. */
  readonly reach: 2 | 4
}

function square(set: SetModule, { row, column, reach }: Square): void {
  const light = reach === 4 ? [2, 4] : [1]
  for (let down = -reach; down <= reach; down++)
    for (let right = -reach; right <= reach; right++)
      set(row + down, column + right, !light.includes(Math.max(Math.abs(down), Math.abs(right))))
}

/** A value with the remainder by the generator behind it. */
export function withRemainder(value: number, generator: number): number {
  const length = generator.toString(2).length - 1
  let rest = value << length
  while (rest.toString(2).length > length) rest ^= generator << (rest.toString(2).length - 1 - length)
  return (value << length) | rest
}

/** Level M (00) and the mask, twice. */
function setFormat(set: SetModule, size: number, mask: number): void {
  const bits = withRemainder(mask, 0b10100110111) ^ 0b101010000010010
  for (let at = 0; at < 15; at++) {
    const dark = ((bits >> at) & 1) === 1
    if (at < 6) set(at, 8, dark)
    else if (at < 8) set(at + 1, 8, dark)
    else set(8, at === 8 ? 7 : 14 - at, dark)
    if (at < 8) set(8, size - 1 - at, dark)
    else set(size - 15 + at, 8, dark)
  }
  set(size - 8, 8, true)
}

function setVersion(set: SetModule, size: number, version: number): void {
  if (version < 7) return
  const bits = withRemainder(version, 0b1111100100101)
  for (let at = 0; at < 18; at++) {
    const dark = ((bits >> at) & 1) === 1
    set(Math.floor(at / 3), size - 11 + (at % 3), dark)
    set(size - 11 + (at % 3), Math.floor(at / 3), dark)
  }
}

/** In columns of two from the right, up and down in turn. What is left over is light. */
function placed(frame: Frame, codewords: readonly number[]): boolean[][] {
  const bits = codewords.map((word) => binary(word, 8)).join('')
  const filled = frame.map((line) => line.map((dark) => dark === true))
  const size = frame.length
  let at = 0
  for (let right = size - 1, turn = 0; right > 0; right -= right === 8 ? 3 : 2, turn++) {
    for (let step = 0; step < size; step++) {
      const row = turn % 2 === 0 ? size - 1 - step : step
      const line = filled[row] ?? []
      for (const column of [right, right - 1]) if (frame[row]?.[column] === null) line[column] = bits[at++] === '1'
    }
  }
  return filled
}

type Mask = (row: number, column: number) => boolean

const masks: readonly Mask[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_row, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
]

/** With the mask on what the frame has left free. */
function masked(filled: readonly (readonly boolean[])[], frame: Frame, mask: number): boolean[][] {
  const isTurned = masks[mask] ?? (() => false)
  const modules = filled.map((line, row) =>
    line.map((dark, column) => (frame[row]?.[column] === null && isTurned(row, column) ? !dark : dark)),
  )
  const set: SetModule = (row, column, dark) => modules[row]?.splice(column, 1, dark)
  setFormat(set, modules.length, mask)
  return modules
}

/** How hard it is to read: long runs, blocks, what looks like a finder, and too much of one colour. */
function penaltyOf(modules: readonly (readonly boolean[])[]): number {
  const lines = modules.map((line) => line.map((dark) => (dark ? '1' : '0')).join(''))
  const columns = lines.map((_, at) => lines.map((line) => line[at]).join(''))
  const runs = sum([...lines, ...columns].map(penaltyOfLine))
  const dark = sum(lines.map((line) => line.replaceAll('0', '').length)) / lines.length ** 2
  return runs + blocksIn(lines) * 3 + Math.floor(Math.abs(dark * 100 - 50) / 5) * 10
}

function penaltyOfLine(line: string): number {
  const runs = sum((line.match(/0{5,}|1{5,}/g) ?? []).map(({ length }) => length - 2))
  const finders = [...line.matchAll(/(?=10111010000|00001011101)/g)].length
  return runs + finders * 40
}

function blocksIn(lines: readonly string[]): number {
  return sum(
    lines.slice(1).map((line, at) => {
      const both = [...line].map((module, column) => (module === lines[at]?.[column] ? module : '-'))
      return both.filter((module, column) => module !== '-' && module === both[column + 1]).length
    }),
  )
}
