import { spawn } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../harness/client.ts'
import { emptyPlace } from '../harness/databases.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { examinedAt } from '../operation/examined.ts'
import { builtMain, furrow, type RunningServer, serve } from './built-furrow.ts'
import { managerOf } from './manager-of.ts'

describe.each(atLeastOn('sqlite'))('sheets from files, beside a running server on %s', (engine) => {
  let server: RunningServer
  let env: Record<string, string>
  let place: Awaited<ReturnType<typeof emptyPlace>>
  let ada: Client
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'furrow-sheets-'))
    place = await emptyPlace(engine)
    env = { FURROW_DATA: place.data, FURROW_DATABASE: place.database ?? '' }
    server = await serve([], { env })
    ada = await managerOf(server.address, env)
  })

  async function file(name: string, text: string | Buffer): Promise<string> {
    const path = join(folder, name)
    await writeFile(path, text)
    return path
  }

  const run = (...args: readonly string[]) => furrow(['import', 'sheet', ...args, '--author', 'ada'], { env })
  const countOf = async (query: string): Promise<number> => {
    const { last } = await ada.read(`/log.json?limit=1&${query}`)
    const page = Number(/page=(\d+)/.exec(last)?.[1])
    return (await ada.ids(`/log.json?limit=1&${query}`)).length === 0 ? 0 : page + 1
  }

  it('makes records, says how it read them, and is undone as one', async () => {
    const path = await file('small.csv', Buffer.from('Wann;Name;Menge\n01.05.2024;Möhren;1,5 kg\n', 'latin1'))
    const args = ['log', path, '--type', 'farm_harvest', '--map', 'Wann=timestamp', '--map', 'Menge=quantity.value']
    const dry = await run(...args, '--dry-run')
    expect(dry, dry.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing was changed') })
    expect(await countOf('name=Möhren')).toBe(0)
    const done = await run(...args)
    expect(done, done.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Read as windows-1252 with a semicolon .*\n1 created \(1 done, 0 planned\), 0 changed, 0 unchanged\.\n/,
      ),
    })
    expect((await ada.read('/log.json?name=Möhren')).list).toMatchObject([
      { quantity: [{ value: '1.5' }], uid: { id: '1' } },
    ])
    expect((await run(...args, '--resume')).stderr).toContain('is in already')
    const set = /set (\S+):/.exec(done.stdout)?.[1] ?? ''
    expect((await furrow(['undo', set], { env })).stdout).toContain('removed')
    expect(await countOf('name=Möhren')).toBe(0)
  })

  it('tells faults by row and column, and changes nothing', async () => {
    const path = await file('bad.csv', 'name,timestamp,done\ngood,2024-01-01,yes\nbad,never,maybe\n')
    const refused = await run('log', path, '--type', 'farm_activity')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('  row 3, column "timestamp": "never" is not a time')
    expect(refused.stderr).toContain('  row 3, column "done": must be yes or no')
    expect(await countOf('name=good')).toBe(0)
    const skipped = await run('log', path, '--type', 'farm_activity', '--skip-faults')
    expect(skipped.stdout).toContain('1 created (1 done, 0 planned), 0 changed, 0 unchanged, 1 left out.')
    expect(skipped.stdout).toContain('row 3, column "done"')
  })

  it('takes answers to questions as the interface does, remembers them, and leaves out what was recorded', async () => {
    const book = 'Datum;Schlag;Kultur;Menge;Mondphase\n1.5.;Beet 9;Mangolt;1,5 kg;heiter\n2.5.;;Spargel;2 kg;\n'
    const path = await file('book.csv', book)
    const asked = ['log', path, '--type', 'farm_harvest', '--skip-recorded', '--language', 'de']
    expect((await run(...asked)).stderr).toContain('Mondphase')
    const answers = ['--recall', '--others', 'notes', '--year', '2025', '--perennial', 'none']
    const corrected = ['--value', 'Kultur=Mangolt=Mangold', '--cell', '3,4=2,5 kg']
    const done = await run(...asked, ...answers, ...corrected)
    expect(done, done.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Kultur as crop') })
    const made = (await ada.read('/log.json?type=farm_harvest&sort=id')).list.slice(-2)
    expect(made).toMatchObject([
      { name: 'Ernte Mangold', quantity: [{ value: '1.5' }] },
      { name: 'Ernte Spargel', quantity: [{ value: '2.5' }] },
    ])
    expect(made[0].notes.value).toContain('Mondphase: heiter')
    const again = await run(...asked, '--recall', '--year', '2025', ...corrected)
    expect(again.stdout, again.stderr).toContain('0 created, 0 changed, 0 unchanged, 2 recorded before.')
  })

  it.each([
    ['--cell', '3=x', 'ROW,COLUMN=TEXT'],
    ['--value', 'Kultur=Mangold', 'HEADER=TEXT=OTHER'],
    ['--weighed', '1.5.2025', 'a date'],
    ['--year', '25', 'a whole number'],
    ['--others', 'drop', 'one of notes, skip'],
    ['--language', 'fr', 'one of en'],
  ])('refuses %s %s', async (option, value, expected) => {
    const path = await file('refused.csv', 'name\nx\n')
    expect(await run('log', path, option, value)).toMatchObject({ code: 2, stderr: expect.stringContaining(expected) })
  })

  it('goes on where it was killed, doubles nothing, and is one set', async () => {
    const rows = 21_000
    const lines = Array.from({ length: rows }, (_, nth) => `Killed ${nth},2024-01-01`)
    const path = await file('large.csv', `name,timestamp\n${lines.join('\n')}\n`)
    const args = ['import', 'sheet', 'log', path, '--type', 'farm_activity', '--author', 'ada']
    const child = spawn(process.execPath, [await builtMain(), ...args], { env: { ...process.env, ...env } })
    const ended = new Promise((resolve) => child.once('close', resolve))
    while ((await countOf('name[sw]=Killed')) === 0 && child.exitCode === null) await pause(20)
    child.kill('SIGKILL')
    await ended
    const before = await countOf('name[sw]=Killed')
    expect(before).toBeLessThan(rows)
    const refused = await furrow(args, { env })
    expect(refused.stderr).toContain('was interrupted behind row')
    const done = await furrow([...args, '--resume'], { env })
    expect(done, done.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(`${rows} created`) })
    expect(await countOf('name[sw]=Killed')).toBe(rows)
    const set = /set (\S+):/.exec(done.stdout)?.[1] ?? ''
    expect((await ada.read(`/sets/${set}.json?limit=1`)).counts).toEqual({ log: { create: rows } })
  }, 600_000)

  it.each([
    [['cow', 'x.csv'], 2, 'RESOURCE is one of'],
    [['log', '/nowhere/x.csv'], 1, '/nowhere/x.csv cannot be read: there is no such file.'],
    [['log', '/'], 1, '/ cannot be read: it is a directory; name a file in it.'],
  ])('refuses %j', async (args, code, words) => {
    expect(await run(...args)).toMatchObject({ code, stderr: expect.stringContaining(words) })
  })

  it('leaves a farm on which the doctor finds nothing', async () => {
    await server.stop()
    expect(await examinedAt(place)).toEqual([])
  })
})
