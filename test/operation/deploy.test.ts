import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { limits } from '../../src/doors/http/limits.ts'
import { commentMilliseconds } from '../../src/doors/record-1x/past/event-streams.ts'

const deployed = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')

/** In nginx a letter stands for a power of 1024; in Caddy `MB` is a million bytes and `MiB` a power of 1024. */
const unitBytes: Readonly<Record<string, number>> = {
  k: 1024,
  m: 1024 ** 2,
  KB: 1e3,
  MB: 1e6,
  KiB: 1024,
  MiB: 1024 ** 2,
}

const sizesIn = (text: string, setting: RegExp): number[] =>
  [...text.matchAll(setting)].map(([, digits, unit = '']) => Number(digits) * (unitBytes[unit] ?? Number.NaN))

test.each([
  ['nginx.conf', /^ *client_max_body_size (\d+)(\w+);/gm, 2],
  ['Caddyfile', /^\s*max_size (\d+)(\w+)$/gm, 1],
])(
  '%s lets every body through that the server takes, and lets it refuse larger ones itself',
  (name, setting, count) => {
    const sizes = sizesIn(deployed(name), setting)
    expect(sizes.length).toBe(count)
    for (const size of sizes) expect(size).toBeGreaterThan(limits.bodyBytes)
  },
)

test('nginx hands events on as they come, for as long as a stream lasts', () => {
  const nginx = deployed('nginx.conf')
  const [seconds = 0] = [...nginx.matchAll(/^ *proxy_read_timeout (\d+)s;/gm)].map(([, digits]) => Number(digits))
  expect(seconds).toBeGreaterThan(commentMilliseconds / 1000)
  expect(nginx).not.toMatch(/proxy_ignore_headers|proxy_buffering on|gzip/)
})
