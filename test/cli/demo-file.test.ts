import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { demoFile, makeDemo } from '../../build/demo.mjs'
import { builtMain } from './built-furrow.ts'

test('the demo farm of the app is the one that `furrow demo` makes: if not, run `npm run demo-file`', async () => {
  const made = await makeDemo(await builtMain())
  expect(made === (await readFile(demoFile, 'utf8'))).toBe(true)
})
