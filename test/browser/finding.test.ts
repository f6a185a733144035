import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { findBrowser } from '../harness/browser-for-the-run.ts'
import { emptyDirectory } from '../harness/databases.ts'
import { adviceFor, type Machine, type Way, waysToABrowser } from '../harness/ways-to-a-browser.ts'

const download = '/home/ada/.cache/ms-playwright/chrome'
const bare: Machine = {
  platform: 'linux',
  arch: 'arm64',
  isRoot: false,
  distribution: 'debian',
  folders: ['/usr/local/bin', '/usr/bin'],
  download,
  named: undefined,
}

const paths = (ways: readonly Way[]) => ways.flatMap((way) => (way.by === 'path' ? [way.path] : []))
const beyondPaths = (ways: readonly Way[]) => ways.filter(({ by }) => by !== 'path')

const playwright: Way = {
  by: 'command',
  command: 'npx playwright-core install --no-shell chromium',
  path: download,
}

describe('the ways to a browser', () => {
  it('are only the one that is named, where one is', () => {
    expect(waysToABrowser({ ...bare, isRoot: true, arch: 'x64', named: '/opt/mine' })).toEqual([
      { by: 'path', path: '/opt/mine' },
    ])
  })

  it('begin with what is installed: each usual name in each folder of PATH, then the usual places', () => {
    const tried = paths(waysToABrowser(bare))
    expect(tried.slice(0, 3)).toEqual([
      '/usr/local/bin/chromium',
      '/usr/bin/chromium',
      '/usr/local/bin/chromium-browser',
    ])
    expect(tried.indexOf('/usr/bin/google-chrome')).toBeLessThan(tried.indexOf('/usr/lib/chromium/chromium'))
    expect(paths(waysToABrowser({ ...bare, platform: 'darwin' }))).toContain(
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    )
  })

  it('lead over the package on linux and x86-64 only', () => {
    const ways = waysToABrowser({ ...bare, arch: 'x64' })
    expect(beyondPaths(ways)).toEqual([{ by: 'package' }, playwright])
    expect(ways.findIndex(({ by }) => by === 'package')).toBeGreaterThan(
      ways.findIndex((way) => way.by === 'path' && way.path === '/usr/lib/chromium/chromium'),
    )
    expect(beyondPaths(waysToABrowser(bare))).toEqual([playwright])
    expect(beyondPaths(waysToABrowser({ ...bare, platform: 'darwin', arch: 'x64' }))).toEqual([playwright])
  })

  it('look whether Playwright has its own before it is downloaded', () => {
    expect(waysToABrowser({ ...bare, arch: 'x64' }).slice(-3)).toEqual([
      { by: 'package' },
      { by: 'path', path: download },
      playwright,
    ])
  })

  it('end, as root, with the packages of Debian or Ubuntu', () => {
    expect(waysToABrowser({ ...bare, isRoot: true }).at(-1)).toEqual({
      by: 'command',
      command: 'apt-get update && apt-get install -y chromium',
      path: '/usr/bin/chromium',
    })
    expect(waysToABrowser({ ...bare, isRoot: true, distribution: 'ubuntu' }).at(-1)).toEqual({
      ...playwright,
      command: 'npx playwright-core install --no-shell chromium --with-deps',
    })
    expect(waysToABrowser({ ...bare, isRoot: true, distribution: 'alpine' }).at(-1)).toEqual(playwright)
  })
})

describe('looking for a browser', () => {
  const program = async (folder: string, name: string, script: string) => {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
    await chmod(join(folder, name), 0o755)
    return join(folder, name)
  }

  it('passes over what is there and does not start', async () => {
    const folder = await emptyDirectory()
    await program(folder, 'chromium', 'exit 127')
    await program(folder, 'chromium-browser', 'echo "Please install the snap"')
    const path = await program(folder, 'google-chrome', 'echo "Google Chrome 147"')
    expect(await findBrowser({ ...bare, folders: [folder] })).toEqual({ path, variables: {} })
  })

  it('takes the one that is named or none, and says which', async () => {
    const folder = await emptyDirectory()
    await program(folder, 'chromium', 'echo "Chromium 147"')
    const named = join(folder, 'missing')
    expect(await findBrowser({ ...bare, folders: [folder], named })).toEqual({
      advice: `FURROW_CHROMIUM names ${named}, which is no Chromium that starts here.`,
    })
  })

  it('says the one command to run where every way has failed', () => {
    const machine = { ...bare, platform: 'somewhere', folders: [] }
    const sentence = 'The tests need Chromium or Chrome, and none could be found or fetched here. Run: '
    expect(adviceFor(machine)).toBe(`${sentence}sudo apt-get update && sudo apt-get install -y chromium`)
    expect(adviceFor({ ...machine, isRoot: true })).toBe(`${sentence}apt-get update && apt-get install -y chromium`)
    expect(adviceFor({ ...machine, distribution: 'fedora' })).toBe(
      `${sentence}npx playwright-core install --no-shell chromium --with-deps`,
    )
  })

  it('has found the one of this run', () => {
    expect(inject('browser')).toHaveProperty('path')
  })
})

it('no variable of a farm reaches the tests, nor one of the tests the program', () => {
  expect(Object.keys(process.env).filter((name) => name.startsWith('FURROW_'))).toEqual([])
})
