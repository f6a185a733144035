import { describe, expect, it } from 'vitest'
import { HttpClient, responseText } from '../../programs/move-in/http-client.ts'
import { tokenLogin } from '../../programs/move-in/login.ts'
import { SourceServer } from '../../programs/move-in/source-server.ts'
import { version } from '../../src/version.ts'
import { farmos } from '../farmos-server/client.ts'

const quick = { pausesMs: [10, 20, 40], answerMs: 300 }

describe('what is asked of another server', () => {
  it('is asked again when no answer comes', async () => {
    const server = await farmos()
    server.fail({ path: /farm\.json/, times: 2, silence: true })
    expect(await new HttpClient(new URL(server.address), quick).send('/farm.json', {}, responseText)).toBe('[]')
    expect(server.requests).toHaveLength(3)
  })

  it('is given up after the last pause, in words that name --resume', async () => {
    const server = await farmos()
    server.fail({ path: /farm\.json/, status: 502 })
    const asked = new HttpClient(new URL(server.address), quick).send('/farm.json', {}, responseText)
    await expect(asked).rejects.toThrow(/answers 502 to \/farm.json, 4 times.*--resume/)
  })

  it('is asked in the name of Furrow and its version', async () => {
    const server = await farmos()
    await new HttpClient(new URL(server.address), quick).send('/farm.json', {}, responseText)
    expect(server.requests[0]?.headers['user-agent']).toBe(`Furrow/${version}`)
  })

  it('is not read to its end where it has none', async () => {
    const server = await farmos()
    server.fail({ path: /farm\.json/, flood: 2 ** 28 })
    const asked = new HttpClient(new URL(server.address)).send('/farm.json', {}, responseText)
    await expect(asked).rejects.toThrow('answers with more than 80 MiB')
    expect(server.requests).toHaveLength(1)
  })

  it('is not waited for where nobody has ever answered', async () => {
    const server = await farmos()
    await server.stop()
    const asked = new HttpClient(new URL(server.address)).send('/farm.json', {}, responseText)
    await expect(asked).rejects.toThrow(/cannot be reached .*Look at the address/)
  })

  it('follows a redirect on the same host, and none elsewhere or in a circle', async () => {
    const server = await farmos()
    const wire = new HttpClient(new URL(server.address), quick)
    server.fail({ path: /^\/moved/, redirect: `${server.address}/farm.json` })
    expect(await wire.send('/moved', {}, responseText)).toBe('[]')
    server.fail({ path: /^\/away/, redirect: 'http://127.0.0.2/farm.json' })
    await expect(wire.send('/away', {}, responseText)).rejects.toThrow('nothing is asked of another host')
    server.fail({ path: /^\/round/, redirect: `${server.address}/round` })
    await expect(wire.send('/round', {}, responseText)).rejects.toThrow('in a circle')
  })

  it('takes a file that lies on another host for one that cannot be read', async () => {
    const server = await farmos()
    const source = new SourceServer(new HttpClient(new URL(server.address), quick), tokenLogin('any'), 'api')
    server.fail({ path: /photo\.png/, redirect: 'http://127.0.0.2/photo.png' })
    expect(await source.download('/system/files/photo.png', { file: '/dev/null', most: 10 })).toBe(false)
    expect(server.requests).toHaveLength(1)
  })

  it('is one to four requests at a time: fewer when there is trouble', async () => {
    const server = await farmos()
    server.fail({ path: /farm\.json/, delay: 5 })
    const wire = new HttpClient(new URL(server.address), quick)
    const askMany = () => Promise.all(Array.from({ length: 200 }, () => wire.send('/farm.json', {}, responseText)))
    // On a busy machine a slow answer counts as trouble, too.
    for (let round = 0; round < 10 && server.mostAtOnce < 4; round += 1) await askMany()
    expect(server.mostAtOnce).toBe(4)
  })
})
