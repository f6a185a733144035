import { symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { furrow, serve } from '../cli/built-furrow.ts'
import { Client, type Json } from '../harness/client.ts'
import { emptyDirectory, postgresDatabase } from '../harness/databases.ts'
import { pages, tests } from '../house/tree.ts'
import { installedFurrow, operatedMachine, serveAsShown } from './machine.ts'
import { examplesIn, Page, paste, pastedLanguages, type Terminal } from './page.ts'

const password = 'green fields 42'

async function tokenOf(base: string, username: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'password', client_id: 'farm', username, password })
  const answer = (await (await fetch(`${base}/oauth/token`, { method: 'POST', body })).json()) as Json
  return answer.access_token
}

/** What is recorded: every record by its address, but for what is worked out from others. */
async function recorded(client: Client): Promise<Record<string, Json>> {
  const records: Record<string, Json> = {}
  for (const type of ['log', 'farm_asset', 'taxonomy_term']) {
    const { list } = await client.read(`/${type}.json?limit=1000`)
    for (const { location, geometry, assets, ...own } of list) records[own.url] = own
  }
  return records
}

describe('README.md', () => {
  const page = new Page('README.md')
  const [begin, ...rest] = page.take('sh')
  const end = rest.pop()

  it('begins and ends with the two commands that do all set-up', () => {
    expect(begin?.code).toBe('npm ci && npm start\n')
    expect(end?.code).toBe('npm ci && npm test\n')
    expect(page.left).toEqual([])
  })

  describe('pasted into a terminal, and the other pages after it', () => {
    let terminal: Terminal
    let client: Client
    let screen: string

    beforeAll(async () => {
      const data = await emptyDirectory()
      const { address } = await serve(['--data', data])
      const env = { FURROW_DATA: data, PATH: await installedFurrow(), FARM: address }
      terminal = { folder: await emptyDirectory(), env, instead: { 'http://127.0.0.1:8080': address } }
      screen = await paste(rest, terminal)
      const token = await tokenOf(address, 'ada')
      terminal = { ...terminal, env: { ...env, TOKEN: token } }
      client = new Client(address, { authorization: `Bearer ${token}` })
    })

    it('leads from an empty farm to a first log and a second farm', async () => {
      expect(screen).toContain('ada can log in now, as manager.')
      const { list } = await client.read('/log.json')
      expect(list).toHaveLength(1)
      expect(list[0]).toMatchObject({ name: 'Sowed carrots in the north field', type: 'farm_activity', done: '1' })
      expect(list[0].log_category[0].name).toBe('Plantings')
      // What curl prints does not end its line: the next command's words follow.
      expect(screen).toContain(`{"self":"${terminal.env.FARM}/log?type=farm_activity&page=0"`)
      expect(screen).toMatch(/\d+ logs/)
    })

    it.each([
      [
        'docs/concepts.md',
        /\{"id":"(\d+)"\},\{"id":"(\d+)"\}\]\n.*"North paddock"\}\]\n\[\{"id":"\1"\},\{"id":"\2"\}\]\n\[\]\n.*\n\[\]\n\[[^\n]*"North paddock"\}\]\n.*"8\.5"\n.*"North paddock"\}\]\n"\d+"\n.*"Barn"\}\]\n"\d+"\n\[\{"id":"\1"\}\]\n\[\{"id":"\2"\}\]\n/s,
      ],
      ['docs/interface.md', /"seed_source":"Neighbour".*"location":\[\{/s],
      [
        'docs/json-api.md',
        /"location":\{"data":\[\{"type":"asset--land".*"included":\[\{"type":"asset--land".*"decimal":"2\.5".*"Frost made it sweet".*"type":"farm_harvest".*"filename":"rows\.csv".*"const":"bed"/s,
      ],
      ['docs/sheets.md', /id,type,name,timestamp,done,.*Timestamp;Assets;Quantity: Measure;.*\ntype,name,timestamp,/s],
      ['docs/moving-out.md', / {2}farm\.csv\n.*is written and verified/s],
      ['docs/xml.md', /<flags><item>priority<\/item><\/flags>/],
      ['docs/batch.md', /"results":\[\{"status":201,.*"status":201,.*"status":200,.*"status":200,/],
      [
        'docs/past.md',
        /"location":\[\{[^}]*"name":"Byre"\}\].*"name":"Byre".*"until":\[1683000000,null\].*"code":"not-done"/s,
      ],
      [
        'docs/ids.md',
        /"name":"Heifers".*"version":"1\.[\w-]+".*"status":201,.*"status":200,.*"resource":"file","version":"(2\.[\w-]+)"\}\n.*"version":"\1"\}\n/s,
      ],
      ['docs/maps.md', /"counts":\{"created":0,"changed":0,.*"counts":\{"created":2,"changed":0,/s],
      [
        'docs/reports.md',
        /"report":"harvest","from":"2026-06-01".*"value":"38.036","unit":"kg".*from,to,crops,.*,83.855,lb,/s,
      ],
      ['docs/changes.md', /log-\d+\.json.*event: change\ndata: \{"type":"log","id":"\d+"/s],
      ['docs/history.md', /South field\n.*"verb":"update".*"undone":\[\{.*"left":\[\]\}North field\n/s],
      ['docs/languages.md', /"label":"Tätigkeit","plural":"Tätigkeiten".*"label":"Cosecha"/s],
      ['docs/trash.md', /"restored":\[\{.*"name":"Mended the gate".*Mended the gate\n/s],
      [
        'docs/dry-run.md',
        /dry-run: 1.*"would_create":\[\{"vocabulary":"farm_log_categories","name":"Sowing by hand"\}\]\}0\nSowing by hand\n/s,
      ],
      ['docs/people.md', /"name":"Ann","role":"worker".*"go_on":"\/app\/".*"role":"viewer".*"kind":"role-changed"/s],
      ['docs/commands.md', /berta can log in now, as worker\./],
    ])('%s does what it says and leaves every other record alone', async (path, expected) => {
      const before = await recorded(client)
      const shown = await paste(new Page(path).take(), terminal)
      expect(shown).toMatch(expected)
      expect(shown).not.toContain('urn:furrow:')
      expect(await recorded(client)).toMatchObject(before)
    })
  })
})

it('docs/settings.md shows servers that start, and layers that a farm takes', async () => {
  const page = new Page('docs/settings.md')
  await serveAsShown(page.take('sh', 'server'))
  const data = await emptyDirectory()
  await furrow(['user', 'add', 'ada', '--role', 'manager', '--password-stdin', '--data', data], { input: password })
  const env = { FURROW_DATA: data, PATH: await installedFurrow() }
  const shown = await paste(page.take('sh', ''), { folder: await emptyDirectory(), env })
  expect(shown).toMatch(/map_layers is now .*Aerial/)
  expect(page.left).toEqual([])
})

it('docs/operating.md leads from a farm that runs to one that was restored, and to PostgreSQL', async () => {
  const port = await freePort()
  const machine = await operatedMachine(port)
  await furrow(['user', 'add', 'ada', '--role', 'manager', '--password-stdin', '--data', machine.data], {
    input: password,
  })
  const databases = { farm: await postgresDatabase('template0'), moved: await postgresDatabase('template0') }
  const instead = {
    ...machine.instead,
    'postgres://furrow:…@db.example/farm': databases.farm,
    'postgres://furrow:…@db.example/moved': databases.moved,
  }
  const base = `http://127.0.0.1:${port}`
  const begin = {
    language: 'sh',
    name: '',
    code: `systemctl start furrow\ncurl -sS --retry 30 --retry-connrefused ${base}/readyz\n`,
  }
  await paste([begin], { ...machine, folder: machine.backups })
  const client = new Client(base, { authorization: `Bearer ${await tokenOf(base, 'ada')}` })
  await client.create('log', { name: 'Recorded before', type: 'farm_activity', timestamp: 1 })

  const screen = await paste(new Page('docs/operating.md').take(), {
    env: machine.env,
    folder: machine.backups,
    instead,
  })
  expect(screen.match(/Everything is as it should be\./g)).toHaveLength(2)
  expect(screen).toContain('ready')
  const again = new Client(base, { authorization: `Bearer ${await tokenOf(base, 'ada')}` })
  expect((await again.read('/log.json')).list).toMatchObject([{ name: 'Recorded before' }])
  for (const url of Object.values(databases)) {
    const users = await furrow(['user', 'list'], { env: { FURROW_DATABASE: url } })
    expect(users.stdout).toContain('ada')
  }
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

describe('every page', () => {
  const shownLanguages = ['text', 'json', 'xml', 'ini', 'nginx', 'sql', 'yaml', 'mermaid']

  const indented = (text: string) => text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '```').match(/(?<=\n\n) {4,}\S.*/g)

  it('says of each block what it is, and has none that is merely indented', () => {
    const known = [...pastedLanguages, ...shownLanguages]
    for (const { path, text } of pages()) {
      const languages = examplesIn(text).map(({ language }) => language)
      expect([path, languages.filter((language) => !known.includes(language))]).toEqual([path, []])
      expect([path, indented(text)]).toEqual([path, null])
    }
  })

  it('that has something to paste is pasted by a test', () => {
    const asked = tests()
      .map(({ text }) => text)
      .join('\n')
    const pasted = pages().filter(({ text }) =>
      examplesIn(text).some(({ language }) => pastedLanguages.includes(language)),
    )
    expect(pasted.map(({ path }) => path).filter((path) => !asked.includes(`'${path}'`))).toEqual([])
    expect(pasted.length).toBeGreaterThan(8)
  })

  it('is read as it is written: blocks in lists too, and what is merely indented', () => {
    const text = 'Do:\n\n- this\n\n  ```sh server\n  furrow serve\n  ```\n\nThen:\n\n    furrow doctor\n'
    expect(examplesIn(text)).toEqual([{ language: 'sh', name: 'server', code: 'furrow serve\n' }])
    expect(indented(text)).toEqual(['    furrow doctor'])
  })

  it('says what is missing where its examples cannot be run', async () => {
    const folder = await emptyDirectory()
    await symlink('/bin/bash', join(folder, 'bash'))
    const example = { language: 'python', name: '', code: 'print(1)\n' }
    await expect(paste([example], { env: { PATH: folder } })).rejects.toThrow('python3 is not installed')
  })
})
