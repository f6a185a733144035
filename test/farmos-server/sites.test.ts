import { expect, it } from 'vitest'
import { farmos, withCookie, withToken } from './client.ts'
import { hillFarm } from './farms/hill-farm.ts'

it('a farmOS 1.x may lie under a folder of its host', async () => {
  const server = await farmos(hillFarm(), { under: '/farm' })
  const visitor = await withToken(server)
  const { body } = await visitor.get('/log.json?sort=id&limit=1')
  expect(body.next).toBe(`${server.address}/log?sort=id&limit=1&page=1`)
  expect(body.list[0].url).toBe(`${server.address}/log/1`)
  expect((await fetch(new URL('/farm.json', server.address))).status).toBe(404)
  expect((await (await withCookie(server)).get('/farm.json')).body.url).toBe(server.address)
})

it('a farmOS 1.x may call itself by another name than it is asked by', async () => {
  const visitor = await withToken(await farmos(hillFarm(), { ownName: 'https://www.hill.example' }))
  const { list, first } = (await visitor.get('/log.json?limit=1')).body
  expect(first).toBe('https://www.hill.example/log?limit=1&page=0')
  expect(list[0].uid.uri).toBe('https://www.hill.example/user/3')
  expect((await visitor.get('/file/1.json')).body.url).toMatch(/^https:\/\/www\.hill\.example\/sites\/default\/files/)
})

it('a farmOS 1.x may give fewer records a page than are asked for', async () => {
  const visitor = await withToken(await farmos(hillFarm(), { mostPerPage: 6 }))
  const { list, last } = (await visitor.get('/log.json?limit=100')).body
  expect([list.length, new URL(last).searchParams.get('page')]).toEqual([6, '2'])
})
