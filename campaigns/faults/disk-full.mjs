import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Farm } from './farm.mjs'

/**
 * @typedef {import('../ground/wishes.mjs').Campaign} Campaign
 *
 * @typedef {object} SmallDisk
 * @property {string} path
 * @property {readonly string[]} before what starts the server so that it sees the disk
 * @property {(pid: number) => void} relieve makes room
 * @property {() => void} remove
 */

const mebibyte = 1024 * 1024
const diskMebibytes = 12
const ballastMebibytes = 6
/** Far more than fit; on a busy machine each takes longer. */
const mostTries = 5_000
/** The expected status of a full disk. */
const noRoom = 503

/**
 * Writes until the disk is full: refusals lose nothing, reads go on, and writes work again with free space.
 * @param {Campaign} campaign
 */
export async function fillDisk(campaign) {
  const { findings, tell, place } = campaign
  const disk = smallFileSystem(place) ?? smallFiles(place)
  try {
    const farm = await new Farm(campaign, 'disk-full', ['--data', join(disk.path, 'data')]).start({
      before: disk.before,
    })
    const busy = farm.writers(4, 'full', { mayRefuse: [noRoom] })
    let refused = 0
    for (let tries = 0; refused < 5 && tries < mostTries; tries++) {
      const { status } = await farm.client.write('POST', '/log', largeLog)
      if (status === noRoom) refused += 1
      else if (!findings.check(status === 201, `on a filling disk a write was answered ${status}`)) break
    }
    findings.check(refused >= 5, 'the disk never became full')
    for (const { writer } of busy) writer.stop()
    await Promise.all(busy.map(({ ended }) => ended))
    const { status } = await farm.client.get('/log.json?limit=5')
    findings.check(status === 200, `with a full disk a read was answered ${status}`)
    const ready = await farm.client.get('/readyz')
    findings.check(ready.status === 503, `with a full disk /readyz answered ${ready.status}`)
    disk.relieve(farm.server.pid)
    const written = await untilWritten(farm)
    findings.check(written, 'with room again nothing could be written 50 times in a row')
    const more = farm.writers(4, 'room')
    await sleep(500)
    for (const { writer } of more) writer.stop()
    await Promise.all(more.map(({ ended }) => ended))
    await farm.examineRecords('after the disk was full')
    process.kill(farm.server.pid, 'SIGKILL')
    await farm.server.ended
    await farm.start()
    await farm.examineRecords('after the disk was full and the server killed')
    await farm.askDoctor('after the disk was full', /free/)
    tell(
      `the disk became full after ${farm.ledger.acknowledged} acknowledged writes (${disk.before.length === 0 ? 'tmpfs' : 'file size limit'})`,
    )
    await farm.stop()
    return farm.ledger.acknowledged
  } finally {
    disk.remove()
  }
}

const largeLog = {
  type: 'farm_observation',
  name: 'A large photo',
  timestamp: 1_600_000_000,
  files: [`data:text/plain;base64,${Buffer.alloc(400_000, 'furrow').toString('base64')}`],
}

async function untilWritten(/** @type {Farm} */ farm) {
  const body = { type: 'farm_activity', name: 'There is room again', timestamp: 1_600_000_000 }
  for (let tries = 0; tries < 50; tries++, await sleep(100)) {
    if ((await farm.client.write('POST', '/log', body)).status === 201) return true
  }
  return false
}

/** A small file system, if this user may mount one. @param {string} place @returns {SmallDisk | null} */
function smallFileSystem(place) {
  const path = join(place, 'small-disk')
  mkdirSync(path)
  const mounted = spawnSync('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${diskMebibytes + ballastMebibytes}m`,
    'furrow-faults',
    path,
  ])
  if (mounted.status !== 0) return null
  const ballast = join(path, 'ballast')
  writeFileSync(ballast, Buffer.alloc(ballastMebibytes * mebibyte))
  const remove = () => void spawnSync('umount', ['-l', path])
  process.once('exit', remove)
  return { path, before: [], relieve: () => rmSync(ballast), remove }
}

/** Otherwise a limit on file size for the server, lifted later. @param {string} place @returns {SmallDisk} */
function smallFiles(place) {
  const path = join(place, 'small-files')
  mkdirSync(path)
  return {
    path,
    before: ['sh', '-c', `ulimit -S -f ${(diskMebibytes * mebibyte) / 512}; exec "$@"`, 'sh'],
    relieve: (pid) => void spawnSync('prlimit', ['--pid', String(pid), '--fsize=unlimited:']),
    remove: () => {},
  }
}
