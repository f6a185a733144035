import { beforeAll, describe, expect, it } from 'vitest'
import { unprintable } from '../../src/fields/text.ts'
import { openDatabase } from '../../src/storage/open.ts'
import { Client, type Json } from '../harness/client.ts'
import { emptyPlace } from '../harness/databases.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { png } from '../records/sample-files.ts'
import { furrow, serve } from './built-furrow.ts'

describe.each(atLeastOn('sqlite'))('furrow trash beside a running server on %s', (engine) => {
  let env: Record<string, string>
  let client: Client

  beforeAll(async () => {
    const { data, database } = await emptyPlace(engine)
    env = { FURROW_DATA: data, FURROW_DATABASE: database ?? '' }
    const { address } = await serve([], { env })
    const password = 'green fields 42'
    await furrow(['user', 'add', 'ada', '--role', 'manager', '--password-stdin'], { env, input: password })
    const body = new URLSearchParams({ grant_type: 'password', client_id: 'farm', username: 'ada', password })
    const answer = (await (await fetch(`${address}/oauth/token`, { method: 'POST', body })).json()) as Json
    client = new Client(address, { authorization: `Bearer ${answer.access_token}` })
  })

  const trash = (...args: string[]) => furrow(['trash', ...args], { env })
  const listed = async () => JSON.parse((await trash('list', '--json')).stdout)
  const log = (body: object = {}) => ({ name: 'Fed', type: 'farm_activity', timestamp: '1', ...body })

  it('shows no character that a terminal would obey, and none is lost in JSON', async () => {
    const name = 'Kale\u009b2J\u202egnp\nroot\u001b[0m\u2028'
    const id = await client.create('log', log({ name: 'Kale' }))
    const database = await openDatabase({ data: env.FURROW_DATA ?? '', database: env.FURROW_DATABASE || null })
    await database.write((tx) => tx.updateTable('log').set({ name }).where('id', '=', Number(id)).execute())
    await database.close()
    // From here on the journal says so, too.
    await client.put(`/log/${id}`, { done: '1' })
    await client.delete(`/log/${id}`)
    const { stdout } = await trash('list')
    expect(stdout).toContain('Kale\ufffd2J\ufffdgnp\ufffdroot\ufffd[0m\ufffd')
    const { stdout: json } = await trash('list', '--json')
    expect(json.replaceAll('\n', '')).not.toMatch(unprintable)
    const { list } = JSON.parse(json)
    expect(list.map((entry: Json) => entry.name)).toContain(name)
    await trash('empty')
  })

  it('lists what can come back, by whom it was removed, until when, and the bytes that it holds', async () => {
    const empty = await trash('list')
    expect(empty.stdout).toMatch(/^UUID .*\nIn the trash: 0 records, 0 files, 0 bytes\.\n$/)
    const id = await client.create('log', log({ images: [png('listed')] }))
    await client.delete(`/log/${id}`)
    const { code, stdout } = await trash('list')
    expect(code).toBe(0)
    const [heading, line, sum] = stdout.split('\n')
    expect(heading).toMatch(/^UUID +RECORD +NAME +REMOVED +BY +ENDS +FILES$/)
    expect(line).toMatch(new RegExp(`^[\\da-f-]{36} +log ${id} +Fed +20\\S+Z +ada +20\\S+Z +\\d+ bytes$`))
    expect(sum).toMatch(/^In the trash: 1 record, 1 file, \d+ bytes\.$/)
    expect(await listed()).toMatchObject({
      records: 1,
      files: 1,
      list: [
        {
          type: 'log',
          id: Number(id),
          bundle: 'farm_activity',
          name: 'Fed',
          user: 'ada',
          files: [{ size: expect.any(Number) }],
        },
      ],
    })
    expect((await trash('list', '--type', 'asset')).stdout).not.toContain('Fed')
    const doctor = await furrow(['doctor'], { env })
    expect(doctor.stdout).toMatch(/^Everything is as it should be\.\nIn the trash: 1 record, 1 file, \d+ bytes\.\n$/)
    const uuid = (await listed()).list[0].uuid
    const dry = await trash('restore', uuid, '--dry-run')
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^A dry run: .*\\nlog ${id} \\(Fed\\) is back\\.\\n$`)),
    })
    expect((await listed()).list).toHaveLength(1)
    const back = await trash('restore', uuid.toUpperCase())
    expect(back).toMatchObject({ code: 0, stdout: `log ${id} (Fed) is back.\n` })
    expect((await client.read(`/log/${id}.json`)).images).toEqual([png('listed')])
    expect((await furrow(['doctor'], { env })).stdout).toBe('Everything is as it should be.\n')
  })

  it('restores what a record refers to with it, and leaves out what is gone, where that is asked for', async () => {
    const asset = await client.create('farm_asset', { name: 'Pump', type: 'equipment' })
    const id = await client.create('log', log({ asset: [{ id: asset }] }))
    await client.delete(`/log/${id}`)
    await client.delete(`/farm_asset/${asset}`)
    const uuidOf = async (type: string) => (await listed()).list.find((one: Json) => one.type === type).uuid
    const [logUuid, assetUuid] = [await uuidOf('log'), await uuidOf('asset')]
    const refused = await trash('restore', logUuid)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(`asset: asset ${asset} (Pump) lies in the trash too, under ${assetUuid}`)
    const both = await trash('restore', logUuid, '--with-referents', '--author', 'ada')
    expect(both.stdout).toBe(`log ${id} (Fed) is back.\nasset ${asset} (Pump) is back.\n`)
    await client.delete(`/log/${id}`)
    await client.delete(`/farm_asset/${asset}`)
    expect((await client.delete(`/trash/${assetUuid}`)).status).toBe(200)
    expect((await trash('restore', logUuid)).stderr).toContain(`asset ${asset} is gone for good`)
    const without = await trash('restore', logUuid, '--drop-missing')
    expect(without.stdout).toBe(`log ${id} (Fed) is back.\nlog ${id} refers in asset to asset ${asset} no longer.\n`)
  })

  it('empties the trash, or what was removed long ago', async () => {
    const id = await client.create('log', log())
    await client.delete(`/log/${id}`)
    const { uuid } = (await listed()).list[0]
    expect(await trash('empty', '--older-than', '1')).toMatchObject({
      code: 0,
      stdout: '0 records ended for good.\n',
    })
    expect(await trash('empty', '--dry-run')).toMatchObject({
      code: 0,
      stdout: '1 record would end for good; a dry run, nothing was changed.\n',
    })
    expect((await listed()).list).toHaveLength(1)
    expect(await trash('empty')).toMatchObject({ code: 0, stdout: '1 record ended for good.\n' })
    expect((await listed()).list).toEqual([])
    const gone = await trash('restore', uuid)
    expect(gone.code).toBe(1)
    expect(gone.stderr).toContain(`log ${id} ended for good`)
  })

  it.each([
    [['restore', '01900000-0000-7000-8000-000000000000'], 1, 'Nothing called 01900000-0000-7000-8000-000000000000'],
    [['restore', 'x', '--author', 'nobody'], 1, 'There is no account named "nobody"'],
    [['restore'], 2, 'needs UUID'],
    [['empty', '--older-than', 'x'], 2, '--older-than "x"'],
    [['list', '--type', 'user'], 2, '--type "user"'],
  ])('refuses %j by name', async (args, code, words) => {
    const outcome = await trash(...args)
    expect(outcome.code).toBe(code)
    expect(outcome.stderr).toContain(words)
  })

  it('is kept for as many days as the farm says', async () => {
    expect((await furrow(['config', 'set', 'trash_days', '-3'], { env })).code).not.toBe(0)
    expect(await furrow(['config', 'set', 'trash-days', '0'], { env })).toMatchObject({
      code: 0,
      stdout: 'trash_days is now 0.\n',
    })
    expect((await furrow(['config', 'show'], { env })).stdout).toMatch(/^trash_days +0$/m)
    await client.delete(`/log/${await client.create('log', log())}`)
    expect((await listed()).list).toEqual([])
  })
})
