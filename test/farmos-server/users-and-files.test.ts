import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../harness/client.ts'
import { farmos, Visitor, withCookie, withToken } from './client.ts'
import { hillFarm } from './farms/hill-farm.ts'
import type { FarmosServer } from './server.ts'

describe('users of a farmOS 1.x', () => {
  let server: FarmosServer

  beforeAll(async () => {
    server = await farmos()
  })

  const listedTo = async (visitor: Visitor): Promise<Json[]> => (await visitor.get('/user.json')).body.list

  it('are told without mail and roles, but for oneself; the anonymous one has no number', async () => {
    const users = await listedTo(await withToken(server))
    expect(users.find(({ uid }) => uid === '3')).toMatchObject({ mail: 'hanna@hill.example', roles: [2, 3] })
    expect(users.find(({ uid }) => uid === '4')).toEqual({
      uid: '4',
      name: 'willem',
      url: `${server.address}/users/willem`,
      edit_url: `${server.address}/user/4/edit`,
      created: '1514808000',
    })
    expect(users.find(({ uid }) => uid === null)).toMatchObject({ name: 'Anonymous', url: null })
  })

  it('that are blocked are told to the first user only', async () => {
    const manager = await withToken(server)
    expect((await listedTo(manager)).map(({ name }) => name)).not.toContain('former hand')
    expect((await manager.get('/user/5.json')).status).toBe(403)
    const first = await withToken(server, { username: 'admin', password: 'admin secret' })
    expect(await listedTo(first)).toContainEqual(expect.objectContaining({ name: 'former hand', roles: [2, 4] }))
  })

  it('that are blocked may be told to everybody, as another site has it', async () => {
    const open = await farmos({ ...hillFarm(), tellsOfBlockedAccounts: true })
    expect((await listedTo(await withToken(open))).map(({ name }) => name)).toContain('former hand')
  })

  it('cannot be found by mail', async () => {
    expect(await (await withToken(server)).get('/user.json?mail=x')).toMatchObject({
      status: 403,
      text: '403 Forbidden: Not authorized to query property mail',
    })
  })
})

describe('files of a farmOS 1.x', () => {
  let server: FarmosServer
  let visitor: Visitor

  beforeAll(async () => {
    server = await farmos()
    visitor = await withToken(server)
  })

  const fileNamed = async (name: string): Promise<Json> => {
    const { id } = server.farm.files.find((file) => file.name === name) ?? {}
    return (await visitor.get(`/file/${id}.json`)).body
  }

  it('are records that say where they are', async () => {
    expect(await fileNamed('lettuce.png')).toEqual({
      fid: '3',
      name: 'lettuce.png',
      mime: 'image/png',
      size: '102',
      url: `${server.address}/sites/default/files/farm/lettuce.png`,
      timestamp: '1549022400',
      owner: { uri: `${server.address}/user/3`, id: '3', resource: 'user' },
    })
  })

  it('that are public are given to everybody', async () => {
    const { url } = await fileNamed('Lieferschein Größe 1.txt')
    expect(url).toMatch(/Lieferschein%20Gr%C3%B6%C3%9Fe%201\.txt$/)
    expect(await new Visitor(server).get(url)).toMatchObject({
      status: 200,
      text: 'The content of Lieferschein Größe 1.txt.\n',
    })
  })

  it('that are private are given to a login, and to no token', async () => {
    const { url } = await fileNamed('harvest.png')
    expect(url).toContain('/system/files/')
    expect((await visitor.get(url)).status).toBe(403)
    const logged = await withCookie(server)
    expect((await logged.get(url)).status).toBe(200)
    expect((await logged.get(url, { authorization: 'Bearer of no use' })).status).toBe(200)
  })

  it('have no list, and one that is gone is refused', async () => {
    expect(await visitor.get('/file.json')).toMatchObject({ status: 403, text: '403 Forbidden' })
    expect((await visitor.get('/file/9007.json')).status).toBe(403)
  })
})
