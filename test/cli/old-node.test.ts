import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { emptyDirectory } from '../harness/databases.ts'
import { root } from '../house/tree.ts'
import { builtMain } from './built-furrow.ts'

let pretending: string
beforeAll(async () => {
  pretending = join(await emptyDirectory(), 'pretending.cjs')
  await writeFile(
    pretending,
    `const node = process.env.PRETENDED
     Object.defineProperty(process, 'version', { value: 'v' + node })
     Object.defineProperty(process, 'versions', { value: { ...process.versions, node } })`,
  )
})

/** Runs Node, or what is written for it, as if it were of that version. */
async function as(version: string, [file = '', ...args]: readonly string[], cwd: string = root) {
  const env = { ...process.env, PRETENDED: version, NODE_OPTIONS: `--require=${pretending}` }
  return promisify(execFile)(file, args, { env, cwd }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

const sentence = (version: string) =>
  `Furrow needs Node.js 20.19, 22.12, or 24 and newer, but this is ${version} (${process.execPath}). ` +
  'Install Node.js 24 (https://nodejs.org/en/download) and try again.\n'

test.each(['12.22.12', '18.20.8', '20.18.3', '21.7.3', '22.11.0', '23.11.1'])(
  'the program says to Node %s which one it needs, and makes nothing',
  async (version) => {
    const data = join(await emptyDirectory(), 'data')
    const said = await as(version, [process.execPath, await builtMain(), 'serve', '--data', data])
    expect(said).toEqual({ code: 1, stdout: '', stderr: sentence(version) })
    expect(existsSync(data)).toBe(false)
  },
)

test.each(['20.19.0', '22.12.0', '24.0.0'])('the program has nothing against Node %s', async (version) => {
  expect(await as(version, [process.execPath, await builtMain(), '--version'])).toMatchObject({ code: 0, stderr: '' })
})

test('npm start says it even where nothing was built', async () => {
  const clone = await emptyDirectory()
  for (const path of ['package.json', '.npmrc', 'build/supported-node.cjs'])
    await cp(join(root, path), join(clone, path))
  const { code, stderr } = await as('20.18.3', ['npm', 'start'], clone)
  expect(code).toBe(1)
  expect(stderr).toContain(sentence('20.18.3'))
})

test('npm ci refuses an old Node, names what is needed, and installs nothing', async () => {
  const clone = await emptyDirectory()
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) await cp(join(root, name), join(clone, name))
  const { code, stderr } = await as('20.18.3', ['npm', 'ci', '--offline'], clone)
  expect(code).toBe(1)
  expect(stderr).toContain('EBADENGINE')
  expect(stderr).toContain('Required: {"node":"^20.19.0 || ^22.12.0 || >=24.0.0"}')
  expect(stderr).toContain('"node":"v20.18.3"')
  expect(existsSync(join(clone, 'node_modules'))).toBe(false)
})

test('what asks for the version comes first, in words that Node 12 can read', async () => {
  const text = await readFile(await builtMain(), 'utf8')
  expect(text.indexOf('requireSupportedNode();')).toBeGreaterThan(0)
  expect(text.indexOf('requireSupportedNode();')).toBeLessThan(text.indexOf('require('))
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
  expect(code.match(/\?\.(?!\d)|\?\?|\|\|=|&&=|#\w|\bimport\b|\bawait\b|\bclass\b|\d[n_]/g)).toBeNull()
})
