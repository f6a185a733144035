import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openFloor, sendRaw } from './floor.ts'

/** A server that bears a silence of a fifth of a second. */
async function impatient() {
  const floor = await openFloor((app) => {
    app.post('/slow', async () => {
      await sleep(900)
      return { done: true }
    })
    app.get('/long', () => Buffer.alloc(64 * 1024 * 1024))
  })
  floor.app.server.timeout = 200
  return floor
}

test('whoever waits for an answer gets it, however long it takes', async () => {
  const { port } = await impatient()
  const ask = (more: string) =>
    `POST /slow HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n${more}\r\nhi`
  const answers = await sendRaw(port, ask(''), ask('Connection: close\r\n'))
  expect(answers.match(/\{"done":true\}/g)).toHaveLength(2)
})

test('a request that falls silent before it is whole is not waited for', async () => {
  const { port, lines } = await impatient()
  expect(await sendRaw(port, 'POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nhi')).toBe('')
  await expect.poll(() => lines).toMatchObject([{ path: '/slow', aborted: true }])
})

test('an answer that is not read is not held for ever', async () => {
  const { port, app } = await impatient()
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.pause()
  socket.write('GET /long HTTP/1.1\r\nHost: a\r\n\r\n')
  const open = () => new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)))
  await expect.poll(open).toBe(1)
  await expect.poll(open).toBe(0)
  socket.destroy()
})
