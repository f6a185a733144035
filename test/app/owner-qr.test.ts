import type { VNode } from 'preact'
import { describe, expect, test } from 'vitest'
import { Qr } from '../../web/screens/owner/share-link.tsx'

interface Drawing {
  readonly viewBox: string
  readonly 'aria-label': string
  readonly children: readonly VNode<{ readonly d: string; readonly fill: string }>[]
}

const drawingOf = (text: string) => (Qr({ text, label: 'A link' }) as VNode<Drawing>).props

/** The dark modules, line by line, without the light edge. */
function modulesOf(text: string): string[] {
  const { viewBox, children } = drawingOf(text)
  const size = Number(viewBox.split(' ').at(-1)) - 8
  const dark = [...(children[1]?.props.d ?? '').matchAll(/M(\d+) (\d+)h1v1h-1z/g)]
  const lines = Array.from({ length: size }, () => Array.from({ length: size }, () => '.'))
  for (const [, column, row] of dark) {
    const line = lines[Number(row) - 4]
    if (line !== undefined) line[Number(column) - 4] = '#'
  }
  return lines.map((line) => line.join(''))
}

const corner = ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######']

describe('a QR code', () => {
  test('has its three corners, at the places where readers look for them', () => {
    const lines = modulesOf('https://farm.example/invitation#aZ09-_')
    expect(lines.slice(0, 7).map((line) => line.slice(0, 7))).toEqual(corner)
    expect(lines.slice(0, 7).map((line) => line.slice(-7))).toEqual(corner)
    expect(lines.slice(-7).map((line) => line.slice(0, 7))).toEqual(corner)
  })

  test('is dark on light inside a light edge of four modules, and says what it is', () => {
    const { viewBox, children, 'aria-label': label } = drawingOf('farm')
    expect([viewBox, label]).toEqual(['0 0 29 29', 'A link'])
    expect(children.map(({ props }) => props.fill)).toEqual(['#fff', '#000'])
    expect(children[0]?.props.d).toBe('M0 0h29v29H0z')
    const places = [...(children[1]?.props.d ?? '').matchAll(/M(\d+) (\d+)/g)].flatMap(([, x, y]) => [
      Number(x),
      Number(y),
    ])
    expect([Math.min(...places), Math.max(...places)]).toEqual([4, 24])
  })

  test('uses the smallest version that fits the text at level M', () => {
    const sizes = [14, 15, 26, 27, 42, 43, 62, 63, 213].map((length) => (modulesOf('a'.repeat(length)).length - 17) / 4)
    expect(sizes).toEqual([1, 2, 2, 3, 3, 4, 4, 5, 10])
  })

  test('differs for texts that differ', () => {
    expect(modulesOf('https://farm.example/a')).not.toEqual(modulesOf('https://farm.example/b'))
  })
})
