import { connect } from 'node:net'

/**
 * Bytes that are hardly a request; each must be answered or dropped, without harm.
 * @param {import('../ground/dice.mjs').Dice} dice
 * @param {string} token
 * @returns {Buffer}
 */
export function rawRequest(dice, token) {
  const host = 'Host: farm.example\r\n'
  const bearer = `Authorization: Bearer ${token}\r\n`
  const shapes = [
    `GET / HTTP/1.1\r\n\r\n`,
    `GET /log.json HTTP/9.9\r\n${host}\r\n`,
    `GET /log.json\r\n\r\n`,
    `GET  /log.json  HTTP/1.1\r\n${host}\r\n`,
    `BREW /log.json HTTP/1.1\r\n${host}\r\n`,
    `GET http://169.254.169.254/ HTTP/1.1\r\n${host}${bearer}\r\n`,
    `GET //evil.example/log.json HTTP/1.1\r\n${host}${bearer}\r\n`,
    `GET /log.json HTTP/1.1\r\nHost: a\r\nHost: b\r\n${bearer}\r\n`,
    `GET /log.json HTTP/1.1\r\nHost: \r\n${bearer}\r\n`,
    `GET /farm.json HTTP/1.1\r\nHost: evil"><x>\r\n${bearer}\r\n`,
    `GET /log.json HTTP/1.1\r\n${host}Authorization: Bearer\r\n\r\n`,
    `GET /log.json HTTP/1.1\r\n${host}${bearer}${bearer}\r\n`,
    `GET /log.json HTTP/1.1\r\n${host}Authorization: Bearer ${'x'.repeat(12_000)}\r\n\r\n`,
    `GET /log.json HTTP/1.1\r\n${host}${Array.from({ length: 300 }, (_, n) => `X-${n}: y\r\n`).join('')}\r\n`,
    `GET /log.json HTTP/1.1\r\n${host}X: ${'y'.repeat(20_000)}\r\n\r\n`,
    `GET /${'x'.repeat(9_000)} HTTP/1.1\r\n${host}\r\n`,
    `GET /log.json HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`,
    `GET /log.json HTTP/1.1\n${host}\n`,
    `GET /log.json HTTP/1.1\r\n${host}X\0: y\r\n\r\n`,
    `POST /log HTTP/1.1\r\n${host}${bearer}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST /log HTTP/1.1\r\n${host}${bearer}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}   `,
    `POST /log HTTP/1.1\r\n${host}${bearer}Content-Length: -1\r\n\r\n{}`,
    `POST /log HTTP/1.1\r\n${host}${bearer}Content-Length: 99999999999\r\n\r\n{}`,
    `POST /log HTTP/1.1\r\n${host}${bearer}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":`,
    `POST /log HTTP/1.1\r\n${host}${bearer}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n`,
    `POST /log HTTP/1.1\r\n${host}${bearer}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2;${'e'.repeat(30_000)}\r\n{}\r\n0\r\n\r\n`,
    `POST /log HTTP/1.1\r\n${host}${bearer}Content-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    `POST /log HTTP/1.1\r\n${host}${bearer}Content-Encoding: gzip\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    `POST /log HTTP/1.1\r\n${host}${bearer}Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    `GET /log.json HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    `GET /log.json HTTP/1.1\r\n${host}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: farm.example\r\n\r\n',
    `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`,
    `TRACE / HTTP/1.1\r\n${host}\r\n`,
    `GET /log.json HTTP/1.1\r\n${host}${bearer}Range: bytes=0-,0-,0-,0-\r\nCookie: ${'a=b; '.repeat(1_000)}\r\n\r\n`,
    `GET /log.json HTTP/1.1\r\n${host}${bearer}If-None-Match: ${'"x", '.repeat(1_000)}\r\nX-Forwarded-For: ::::\r\nX-Forwarded-Proto: x\r\n\r\n`,
    `${`GET /healthz HTTP/1.1\r\n${host}\r\n`.repeat(50)}`,
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    '\r\n\r\n\r\n',
    '',
  ]
  const bytes = Buffer.from(dice.pick(shapes), 'latin1')
  if (dice.happens(0.3) && bytes.length > 0) {
    for (let n = dice.whole(1, 3); n > 0; n--) bytes[dice.whole(0, bytes.length - 1)] = dice.whole(0, 255)
  }
  return dice.happens(0.1) ? dice.bytes(dice.whole(1, 2_000)) : bytes
}

/**
 * Sends the bytes and disconnects soon; returns the statuses received.
 * @param {number} port
 * @param {Buffer} bytes
 * @returns {Promise<number[]>}
 */
export function sendRaw(port, bytes) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let received = ''
    socket.on('data', (chunk) => {
      if (received.length < 100_000) received += chunk.toString('latin1')
      // Most answers have arrived by then.
      socket.setTimeout(20)
    })
    socket.on('error', () => {})
    socket.on('close', () =>
      resolve([...received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))),
    )
    socket.write(bytes)
    socket.setTimeout(150, () => socket.destroy())
    setTimeout(() => socket.destroy(), 400)
  })
}
