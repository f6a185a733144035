import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { cases } from '../../programs/move-in/findings.ts'

it('the page about moving in has a row for each case, and none for others', () => {
  const page = readFileSync(new URL('../../docs/moving-in.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\|.*\| `([a-z-]+)` \|$/gm)].map(([, name]) => name)
  expect(rows.sort()).toEqual(Object.keys(cases).sort())
})
