import { crc32, deflateSync } from 'node:zlib'
import type { SeededRandom } from './seeded-random.ts'

const width = 96
const height = 64

type Colour = readonly [red: number, green: number, blue: number]

const skies: readonly [Colour, ...Colour[]] = [
  [126, 180, 226],
  [170, 192, 205],
  [236, 178, 122],
]
const grounds: readonly [Colour, ...Colour[]] = [
  [96, 140, 58],
  [134, 104, 66],
  [176, 158, 74],
]

/** A small picture of hills under a sky, as a data URI: a PNG of a few hundred bytes. */
export function photo(dice: SeededRandom): string {
  const [sky, ground] = [dice.pick(skies), dice.pick(grounds)]
  const [crest, swing, shift] = [dice.between(24, 40), dice.between(3, 9), dice.roll() * 6]
  const sun = { x: dice.between(12, 84), y: dice.between(8, 16) }
  const rows: Buffer[] = []
  for (let y = 0; y < height; y += 1) {
    // Each line of a PNG begins with its filter type: 0 is none.
    const row = Buffer.alloc(1 + width * 3)
    for (let x = 0; x < width; x += 1) {
      const isSun = (x - sun.x) ** 2 + (y - sun.y) ** 2 < 20
      const isHill = y > crest + swing * Math.sin(x / 15 + shift)
      const [red, green, blue] = isHill ? shaded(ground, y - crest) : isSun ? [252, 236, 160] : shaded(sky, -y / 2)
      row.set([red, green, blue], 1 + x * 3)
    }
    rows.push(row)
  }
  return `data:image/png;base64,${png(Buffer.concat(rows)).toString('base64')}`
}

const shaded = ([red, green, blue]: Colour, by: number): Colour => [lit(red, by), lit(green, by), lit(blue, by)]

const lit = (value: number, by: number): number => Math.max(0, Math.min(255, Math.round(value - by)))

function png(lines: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits for each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(content.length, 0)
  framed.set(named, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}
