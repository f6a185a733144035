import { beforeAll, describe, expect, it } from 'vitest'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { rowCounts } from '../records/rows.ts'
import { dataUri, png, textFile } from '../records/sample-files.ts'

let farm: FarmUnderTest
let client: Client

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
})

const post = (more: Record<string, unknown>) =>
  client.post('/log', { name: 'L', type: 'farm_activity', timestamp: '1', ...more })
const linksOf = async (id: string): Promise<Json> => client.read(`/log/${id}.json?files=link`)
const pathOf = (address: string) => new URL(address).pathname

describe('2.9 reading', () => {
  it('one record has its files inline, a list their addresses; either form can be asked for', async () => {
    const { id } = (await post({ images: [png('a'), png('b')], files: [textFile('note')] })).body
    const inline = { images: [png('a'), png('b')], files: [textFile('note')] }
    const address = /^http:\/\/127\.0\.0\.1:\d+\/file\/\d+\/farm_activity_(image|file)_\d+\.(png|txt)$/
    const linked = {
      images: [expect.stringMatching(address), expect.stringMatching(address)],
      files: [expect.stringMatching(address)],
    }
    expect(await client.read(`/log/${id}.json`)).toMatchObject(inline)
    expect(await client.read(`/log/${id}.json?files=inline`)).toMatchObject(inline)
    expect(await client.read(`/log/${id}.json?files=link`)).toMatchObject(linked)
    expect((await client.read(`/log.json?id=${id}`)).list[0]).toMatchObject(linked)
    expect((await client.read(`/log.json?id=${id}&files=inline`)).list[0]).toMatchObject(inline)
    expect((await client.put(`/log/${id}?files=link`, { name: 'M' })).body).toMatchObject(linked)
    expect((await client.put(`/log/${id}`, { name: 'N' })).body).toMatchObject(inline)
    const log = { name: 'L', type: 'farm_activity', timestamp: '1', images: [png('c')] }
    expect((await client.post('/log?files=link', log)).body.images).toEqual([expect.stringMatching(address)])
  })

  it('a word that is no form of files is refused, and nothing is changed', async () => {
    const { id } = (await post({})).body
    expect(await client.get(`/log/${id}.json?files=lnik`)).toMatchObject({ status: 400 })
    expect(await client.put(`/log/${id}?files=lnik`, { name: 'Changed' })).toMatchObject({ status: 400 })
    expect((await client.read(`/log/${id}.json`)).name).toBe('L')
  })

  it('assets, areas and crops have photos too', async () => {
    const images = [png('asset')]
    const asset = await client.create('farm_asset', { name: 'A', type: 'equipment', images, files: textFile('x') })
    expect(await client.read(`/farm_asset/${asset}.json`)).toMatchObject({ images, files: [textFile('x')] })
    for (const vocabulary of ['farm_areas', 'farm_crops']) {
      const term = await client.create('taxonomy_term', { name: 'T', vocabulary, images })
      expect((await client.read(`/taxonomy_term/${term}.json`)).images).toEqual(images)
    }
  })
})

describe('2.9 a data URI', () => {
  it.each(
    shareOfThisEngine([
      ['plain', 'data:text/plain;base64,QQ==', 'files'],
      ['empty', 'data:text/plain;base64,', 'files'],
      ['with parameters', 'data:text/plain;charset=utf-8;base64,QQ==', 'files'],
      ['with quotes and other languages in its parameters', 'data:text/plain;name="a\\\\b/é";base64,QQ==', 'files'],
      ['of an unknown type', 'data:application/x-farm+json;base64,QUI=', 'files'],
      ['whose bytes contradict its type', dataUri('image/png', 'GIF89a\u0001\u0000\u0001\u0000=alert(1)'), 'images'],
      ['of an SVG', dataUri('image/svg+xml', '<?xml version="1.0"?><svg onload="alert(1)"/>'), 'images'],
      ['of an archive', dataUri('application/zip', 'PK\u0003\u0004'), 'files'],
    ]),
  )('%s is kept and read back as it was declared', async (_what, uri, field) => {
    expect((await post({ [field]: [uri] })).body[field]).toEqual([uri])
  })

  it.each(
    shareOfThisEngine([
      ['without a type', 'data:;base64,QQ=='],
      ['without base64', 'data:text/html,<x>'],
      ['with a space in it', 'data:text/plain;base64,QU I='],
      ['with a newline in it', 'data:text/plain;base64,QUJD\nREVG'],
      ['in the alphabet for addresses', 'data:text/plain;base64,-_-_'],
      ['without its padding', 'data:text/plain;base64,QQ'],
      ['with bits left over', 'data:text/plain;base64,QR=='],
      ['with too much padding', 'data:text/plain;base64,QUI=='],
      ['with a type that is none', 'data:text;base64,QQ=='],
      ['with a space in its type', 'data:text/ plain;base64,QQ=='],
      ['that is no data URI at all', 'C:\\photos\\cow.png'],
      ['that is base64 only', 'QQ=='],
    ]),
  )('%s is refused', async (_what, uri) => {
    const answer = await post({ files: [uri] })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ field: 'files[0]' }])
  })

  it('that is no image is refused among the images', async () => {
    const answer = await post({ images: [png(), textFile('note')] })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ field: 'images[1]', allowed: ['image/*'] }])
  })

  it.each(shareOfThisEngine([1, true, [['x']], { name: 'x' }].map((value) => [value])))('is not %j', async (value) => {
    const answer = await post({ files: [value] })
    expect([201, 422]).toContain(answer.status)
    if (answer.status === 201) expect(answer.body.files).toEqual([])
  })
})

describe('2.9 keeping files in an update', () => {
  it.each(
    shareOfThisEngine([
      ['its address', (address: string) => address],
      ['its path', (address: string) => pathOf(address)],
      ['its address under another name of the farm', (address: string) => `https://farm.example${pathOf(address)}`],
      ['{id}', (_address: string, id: string) => ({ id })],
      ['{fid}', (_address: string, id: string) => ({ fid: Number(id) })],
      ['{file: {id}}', (_address: string, id: string) => ({ file: { id, resource: 'file' }, description: null })],
      ['the same bytes', () => png('kept')],
    ]),
  )('keeps a file that the update names by %s', async (_how, name) => {
    const { id } = (await post({ images: [png('kept'), png('gone')] })).body
    const [address] = (await linksOf(id)).images
    const fileId = address.split('/').at(-2)
    const answer = await client.put(`/log/${id}`, { images: [png('new'), name(address, fileId)] })
    expect(answer.body.images).toEqual([png('new'), png('kept')])
    expect((await linksOf(id)).images[1]).toBe(address)
  })

  it('not by an address of another host, where the farm has one that is its own', async () => {
    const settled = await openFarm({ settings: { baseUrl: 'https://farm.example' } })
    const owner = await settled.login()
    const log = { name: 'L', type: 'farm_activity', timestamp: '1', images: [png('kept')] }
    const { id } = (await owner.post('/log', log)).body
    const { images } = await owner.read(`/log/${id}.json?files=link`)
    const elsewhere = `https://elsewhere.example${pathOf(images[0])}`
    for (const image of [elsewhere, { uri: elsewhere }, { file: { url: elsewhere } }]) {
      expect((await owner.put(`/log/${id}`, { images: [image] })).status).toBe(422)
    }
    expect((await owner.put(`/log/${id}?files=link`, { images })).body.images).toEqual(images)
  })

  it('two photos with the same bytes stay two', async () => {
    const { id } = (await post({ images: [png('twin'), png('twin')] })).body
    const before = (await linksOf(id)).images
    expect(new Set(before).size).toBe(2)
    await client.put(`/log/${id}`, { images: [png('twin'), png('twin')] })
    expect((await linksOf(id)).images).toEqual(before)
  })

  it('a file of one record can be put on another', async () => {
    const first = (await post({ files: [textFile('shared')] })).body.id
    const [address] = (await linksOf(first)).files
    const second = (await post({ files: [address] })).body
    expect(second.files).toEqual([textFile('shared')])
    await client.delete(`/log/${first}`)
    expect((await client.get(pathOf(address))).text).toBe('shared')
  })

  it.each(
    shareOfThisEngine([
      ['an address with another name', (address: string) => `${address}x`],
      ["another farm's file", (_address: string, id: string) => `https://elsewhere.example/file/${id}/cow.png`],
      ['a file that is not there', () => ({ id: '999999' })],
      ['no id', () => ({ id: 'x' })],
    ]),
  )('but not by %s', async (_how, name) => {
    const { id } = (await post({ files: [textFile('x')] })).body
    const [address] = (await linksOf(id)).files
    const answer = await client.put(`/log/${id}`, { files: [name(address, address.split('/').at(-2))] })
    expect(answer.status).toBe(422)
    expect((await client.read(`/log/${id}.json`)).files).toEqual([textFile('x')])
  })

  it('refuses a text file among the images', async () => {
    const { id } = (await post({ files: [textFile('x')] })).body
    const [address] = (await linksOf(id)).files
    expect((await client.put(`/log/${id}`, { images: [address] })).status).toBe(422)
  })

  it('an empty list removes them all, an absent key none', async () => {
    const { id } = (await post({ files: [textFile('x')], images: [png()] })).body
    expect((await client.put(`/log/${id}`, { images: [] })).body).toMatchObject({ images: [], files: [textFile('x')] })
  })
})

describe('2.9 what is removed is gone', () => {
  it('nothing is served of a file that no record names any more, and no record can be given it', async () => {
    const { id } = (await post({ files: [textFile('no longer')] })).body
    const other = (await post({})).body.id
    const [address] = (await linksOf(id)).files
    const [, file] = /\/file\/(\d+)\//.exec(String(address)) ?? []
    expect((await client.get(`/file/${file}`)).status).toBe(200)
    await client.put(`/log/${id}`, { files: [] })
    expect((await client.get(`/file/${file}`)).status).toBe(404)
    expect((await client.get(pathOf(address))).status).toBe(404)
    for (const named of [address, { id: file }, { fid: file }]) {
      const { status, body } = await client.put(`/log/${other}`, { files: [named] })
      expect({ status, detail: body.detail }).toEqual({
        status: 422,
        detail: `files[0]: there is no file with the id ${file}.`,
      })
    }
    expect((await client.put(`/log/${id}`, { files: [{ id: file }] })).status).toBe(422)
  })

  it('with the last record that has it, and its bytes with the last file, where the farm has no trash', async () => {
    await farm.installation.database.write((tx) => writeFarmSetting(tx, 'trash_days', '0'))
    const before = await rowCounts(farm)
    const one = (await post({ files: [textFile('the same bytes')] })).body.id
    const two = (await post({ files: [textFile('the same bytes')] })).body.id
    const [address] = (await linksOf(one)).files
    expect(await rowCounts(farm)).toMatchObject({ file: (before.file ?? 0) + 2, blob: (before.blob ?? 0) + 1 })
    await client.put(`/log/${one}`, { files: [] })
    expect((await client.get(pathOf(address))).status).toBe(404)
    expect((await client.read(`/log/${two}.json`)).files).toEqual([textFile('the same bytes')])
    await client.delete(`/log/${two}`)
    await client.delete(`/log/${one}`)
    const { file, blob, blob_chunk } = await rowCounts(farm)
    expect({ file, blob, blob_chunk }).toEqual({ file: before.file, blob: before.blob, blob_chunk: before.blob_chunk })
  })
})
