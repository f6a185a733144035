import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listeningAddresses } from '../../src/access/listening-addresses.ts'
import { ownCommand } from '../../src/cli/serve.ts'
import { emptyDirectory } from '../harness/databases.ts'

/** A clone in a folder of that name, with a link to its program in a folder of commands. */
async function clone(name = 'clone') {
  const place = await emptyDirectory()
  const folder = join(place, name)
  const script = join(folder, 'dist', 'main.cjs')
  const bin = join(place, 'bin')
  const npmBin = join(place, 'node_modules', '.bin')
  for (const made of [join(folder, 'dist'), join(folder, 'docs'), bin, npmBin]) mkdirSync(made, { recursive: true })
  writeFileSync(script, '')
  for (const made of [bin, npmBin]) symlinkSync(script, join(made, 'furrow'))
  return { place, folder, script, bin, npmBin }
}

describe('the command that calls this program again', () => {
  it('is npx furrow for who started it with npm or npx inside the clone', async () => {
    const { folder, script, npmBin } = await clone()
    for (const npm_lifecycle_event of ['start', 'npx'])
      for (const INIT_CWD of [folder, join(folder, 'docs')])
        for (const started of [script, join(npmBin, 'furrow')])
          expect(ownCommand({ script: started, environment: { npm_lifecycle_event, INIT_CWD } })).toBe('npx furrow')
  })

  it('is furrow where that is this very program', async () => {
    const { script, bin } = await clone()
    const environment = { PATH: `/nowhere:${bin}:/usr/bin` }
    expect(ownCommand({ script, environment })).toBe('furrow')
    expect(ownCommand({ script: join(bin, 'furrow'), environment })).toBe('furrow')
  })

  it('is node and the file everywhere else, also where another furrow is on the path', async () => {
    const { place, script, npmBin } = await clone()
    const { bin: otherBin } = await clone()
    for (const environment of [
      {},
      { PATH: otherBin },
      { PATH: npmBin, npm_lifecycle_event: 'npx', INIT_CWD: place },
      { PATH: '', npm_lifecycle_event: 'start', INIT_CWD: place },
      { PATH: '', npm_lifecycle_event: 'test', INIT_CWD: join(place, 'clone') },
    ])
      expect(ownCommand({ script, environment })).toBe(`node ${script}`)
  })

  it('can be pasted where the folder has a space or a quote in its name', async () => {
    const { script, place } = await clone("Ada's farm")
    expect(ownCommand({ script, environment: {} })).toBe(`node '${place}/Ada'\\''s farm/dist/main.cjs'`)
  })
})

describe('the addresses of a server', () => {
  it('are the one it listens on', () => {
    expect(listeningAddresses({ host: '127.0.0.1', tls: null }, 8080)).toEqual(['http://127.0.0.1:8080'])
    expect(listeningAddresses({ host: '::1', tls: null }, 8080)).toEqual(['http://[::1]:8080'])
    expect(listeningAddresses({ host: 'farm.local', tls: null }, 80)).toEqual(['http://farm.local:80'])
  })

  it('begin with loopback where it listens on every network', () => {
    expect(listeningAddresses({ host: '0.0.0.0', tls: null }, 8080)[0]).toBe('http://127.0.0.1:8080')
    expect(listeningAddresses({ host: '::', tls: null }, 8080)[0]).toBe('http://[::1]:8080')
    for (const address of listeningAddresses({ host: '::', tls: null }, 8080))
      expect(URL.canParse(address), address).toBe(true)
  })
})
