import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyDirectory, emptyPlace } from '../harness/databases.ts'
import { turnsOf, turnsUntil } from '../harness/processor-time.ts'
import { root } from '../house/tree.ts'
import { builtMain, furrow, serve } from './built-furrow.ts'

describe('furrow serve', () => {
  it('creates its data directory for its owner only, and says how to create the first account', async () => {
    const data = join(await emptyDirectory(), 'new', 'farm')
    const server = await serve(['--data', data])
    expect(statSync(data).mode & 0o777).toBe(0o700)
    await expect.poll(() => server.output()).toMatch(/http:\S+\/setup\?key=\S+/)
    expect(server.output()).toContain(`  node ${await builtMain()} user add NAME --role manager --data '${data}'\n`)
    expect(server.output()).not.toContain('npx')
    const [setup = ''] = /http:\S+\/setup\?key=\S+/.exec(server.output()) ?? []
    expect((await fetch(setup)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })

  it('names every address of the machine where it listens on every network', async () => {
    const server = await serve(['--data', await emptyDirectory(), '--host', '0.0.0.0'])
    await expect.poll(() => server.output()).toMatch(/\/setup\?key=/)
    const { port } = new URL(server.address)
    const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
    const names = own.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address)
    for (const name of ['127.0.0.1', ...names.filter((each) => !each.startsWith('169.254.'))]) {
      expect(server.output()).toContain(` at http://${name}:${port}\n`)
      const [setup = ''] = new RegExp(`http://${name}:${port}/setup\\S+`).exec(server.output()) ?? []
      expect((await fetch(setup)).status).toBe(200)
    }
    await server.stop()
  })

  it('names the public address, and no other, to set the farm up at where there is one', async () => {
    const options = ['--host', '0.0.0.0', '--base-url', 'https://farm.example']
    const server = await serve(['--data', await emptyDirectory(), ...options])
    await expect.poll(() => server.output()).toMatch(/\/setup\?key=/)
    expect(server.output().match(/\S+\/setup/g)).toEqual(['https://farm.example/setup'])
    await server.stop()
  })

  it('does not invite anybody once there is an account', async () => {
    const env = { FURROW_DATA: await emptyDirectory() }
    const added = await furrow(['user', 'add', 'ada', '--role', 'manager', '--password-stdin'], {
      env,
      input: 'green fields',
    })
    expect(added.code).toBe(0)
    const server = await serve([], { env })
    await server.stop()
    expect(server.output()).not.toContain('setup')
  })

  it('refuses a data directory that another server owns, and leaves it alone', async () => {
    const data = await emptyDirectory()
    const server = await serve(['--data', data])
    const second = await furrow(['serve', '--data', data, '--port', '0'])
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toContain(data)
    expect((await fetch(`${server.address}/farm.json`)).status).toBe(403)
    expect(await server.stop()).toBe(0)
    expect(await (await serve(['--data', data])).stop()).toBe(0)
  })

  it('shares a PostgreSQL database with other servers', async () => {
    const { database } = await emptyPlace('postgres')
    const env = { FURROW_DATABASE: database ?? '' }
    const servers = [await serve([], { env }), await serve([], { env })]
    for (const { address } of servers) expect((await fetch(`${address}/farm.json`)).status).toBe(403)
    for (const server of servers) expect(await server.stop()).toBe(0)
  })

  it('says with which database the first account is made, and never its address', async () => {
    const { database } = await emptyPlace('postgres')
    const server = await serve([], { env: { FURROW_DATABASE: database ?? '' } })
    await expect.poll(() => server.output()).toContain('user add NAME --role manager')
    expect(server.output()).toContain(
      'Create the first one, with FURROW_DATABASE set to the address that this server was',
    )
    expect(server.output()).not.toContain('postgres://')
    expect(await server.stop()).toBe(0)
  })

  it('says which port is in use', async () => {
    const squatter = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => squatter.once('listening', resolve))
    const bound = squatter.address()
    const port = String(typeof bound === 'object' ? bound?.port : bound)
    for (const { data, database } of [await emptyPlace('sqlite'), await emptyPlace('postgres')]) {
      const env = { FURROW_DATA: data, FURROW_DATABASE: database ?? '' }
      const { code, stderr } = await furrow(['serve', '--port', port], { env })
      expect(code).toBe(1)
      expect(stderr).toContain(`Port ${port}`)
      expect(stderr).not.toMatch(/\n\s+at /)
    }
    squatter.close()
  })

  it('refuses one port for the farm and for metrics, before it touches anything', async () => {
    const data = join(await emptyDirectory(), 'none')
    for (const hosts of [[], ['--host', '0.0.0.0'], ['--metrics-host', '::']]) {
      const both = ['--port', '18099', '--metrics-port', '18099', ...hosts]
      const { code, stderr } = await furrow(['serve', '--data', data, ...both])
      expect([code, stderr]).toEqual([2, expect.stringContaining('--port and --metrics-port are both 18099')])
    }
    expect(existsSync(data)).toBe(false)
  })

  it('says what is wrong with a data directory that is a file', async () => {
    const file = join(await emptyDirectory(), 'farm')
    await writeFile(file, '')
    for (const data of [file, join(file, 'below')]) {
      const { code, stderr } = await furrow(['serve', '--data', data, '--port', '0'])
      expect(code).toBe(1)
      expect(stderr).toMatch(/^furrow: \S+ cannot be the data directory: [^\n]* is a file\. [^\n]*--data\.\n$/)
    }
  })

  it('says in one line why it cannot reach its database', async () => {
    const env = { FURROW_DATABASE: 'postgres://ada:carrots@127.0.0.1:1/farm' }
    const { code, stderr } = await furrow(['serve', '--port', '0'], { env })
    expect(code).toBe(1)
    expect(stderr).not.toMatch(/\n\s+at |carrots/)
  })

  it('answers what is in flight when it is told to stop, and takes no more', async () => {
    const server = await serve(['--data', await emptyDirectory()])
    const { hostname, port } = new URL(server.address)
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text
    })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const form = 'grant_type=password&client_id=farm&username=nobody&password=nothing'
    socket.write(
      `POST /oauth/token HTTP/1.1\r\nHost: farm\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\nExpect: 100-continue\r\n\r\n`,
    )
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 100 /)
    answer = ''
    const stopped = server.stop()
    const turns = turnsUntil(stopped)
    await new Promise((resolve) => setTimeout(resolve, 200))
    socket.write(form)
    expect(await stopped).toBe(0)
    expect(await turns).toBeLessThan(turnsOf(5))
    expect(server.output()).toMatch(/\nFurrow has stopped\.\n$/)
    await closed
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('invalid_grant')
    await expect(fetch(server.address)).rejects.toThrow()
  })

  it('stops with the shell that npm starts it in, and leaves nothing behind', async () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const script = String(scripts.start).replace('dist/main.cjs', `'${await builtMain()}'`)
    const env = { ...process.env, FURROW_PORT: '0', FURROW_DATA: await emptyDirectory() }
    const shell = spawn('sh', ['-c', script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [, address = ''] = await new Promise<readonly string[]>((resolve) => {
      let output = ''
      shell.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const found = /listens at (http:\S+)/.exec(output)
        if (found !== null) resolve(found)
      })
    })
    const ended = new Promise((resolve) => shell.once('exit', resolve))
    shell.kill('SIGTERM')
    expect(await ended).toBe(0)
    await expect(fetch(address)).rejects.toThrow()
  })

  it('does not wait for a request that never ends', async () => {
    const server = await serve(['--data', await emptyDirectory()])
    const { hostname, port } = new URL(server.address)
    const socket = connect(Number(port), hostname).on('error', () => {})
    socket.write(
      'POST /oauth/token HTTP/1.1\r\nHost: farm\r\nContent-Type: application/json\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n',
    )
    await once(socket, 'data')
    const stopped = server.stop()
    expect(await turnsUntil(stopped)).toBeLessThan(turnsOf(10))
    expect(await stopped).toBe(0)
    socket.destroy()
  })
})

describe('a module', () => {
  it('that cannot be used is refused by its file', async () => {
    const folder = await emptyDirectory()
    const modules: Record<string, string> = {
      'broken.mjs': 'export default (',
      'empty.mjs': 'export const nothing = 1',
      'failing.mjs': "export default () => { throw new Error('no bees today') }",
      'forgetful.mjs': 'export default () => undefined',
    }
    for (const [name, text] of Object.entries(modules)) await writeFile(join(folder, name), text)
    for (const name of [...Object.keys(modules), 'missing.mjs']) {
      const path = join(folder, name)
      const { code, stderr } = await furrow(['config', 'set', 'name', 'Hill farm', '--data', folder, '--module', path])
      expect(code, name).toBe(1)
      expect(stderr).toContain(path)
      expect(stderr).not.toMatch(/\n\s+at /)
    }
  })
})
