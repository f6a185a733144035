import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { correctionOf, qrModules, withRemainder } from '../../web/screens/owner/qr.ts'

const drawn = (text: string): string[] => qrModules(text).map((line) => line.map((dark) => (dark ? '#' : '.')).join(''))

/** As another program draws it, which shares no code with this one. */
const farm = `
#######.....#.#######
#.....#.....#.#.....#
#.###.#.#.#.#.#.###.#
#.###.#.#..#..#.###.#
#.###.#.#####.#.###.#
#.....#.#...#.#.....#
#######.#.#.#.#######
........##.##........
#.#####...#.#.#####..
#.#.#.......#..#..#.#
#..#.#######.#..####.
#.####.##.#....####.#
.####.#...##.#..##.#.
........#..####...#.#
#######..#..#.##...#.
#.....#.#..####..##..
#.###.#.##..#..#...#.
#.###.#.#...#..#.#...
#.###.#.#..#.#..###..
#.....#..##....##.#..
#######.##.#.#..#.##.
`

describe('a QR code', () => {
  test('is drawn module by module as another program draws it', () => {
    expect(drawn('farm')).toEqual(farm.trim().split('\n'))
  })

  test.each([
    [5, 'https://farm.example/invitation#' + 'aZ09-_'.repeat(7) + 'x', '0207495c63230259'],
    [4, 'y'.repeat(62), '184ac14c2ea994de'],
    [6, 'q'.repeat(106), '4210715519fa01d5'],
    [7, 'w'.repeat(122), '9ad160bf90ba925b'],
    [8, 'e'.repeat(152), 'adec2bc79de83cf3'],
    [9, 'r'.repeat(180), '8839327aaccfb084'],
    [10, 'u'.repeat(213), 'bbcd660e11191933'],
  ])('of version %i, too', (version, text, digest) => {
    const lines = drawn(text)
    expect(lines).toHaveLength(17 + 4 * version)
    expect(createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)).toBe(digest)
  })

  test('has the error correction of the standard’s own example', () => {
    const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
    expect(correctionOf(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23])
    expect(withRemainder(7, 0b1111100100101).toString(2)).toBe('111110010010100')
  })

  test('is of the smallest version that the text fits into, counted in bytes', () => {
    const sizes = [14, 15, 26, 27, 42, 43, 62, 63].map((length) => (qrModules('a'.repeat(length)).length - 17) / 4)
    expect(sizes).toEqual([1, 2, 2, 3, 3, 4, 4, 5])
    expect(qrModules('ü'.repeat(7))).toHaveLength(21)
    expect(qrModules('ü'.repeat(8))).toHaveLength(25)
    expect(() => qrModules('a'.repeat(214))).toThrow('214 bytes')
  })
})
