import { copyFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { furrow } from '../ground/furrow.mjs'
import { Farm } from './farm.mjs'
import { compareAll } from './ledger.mjs'

/** @typedef {import('../ground/wishes.mjs').Campaign} Campaign */

const longestPause = 2_000

/**
 * A backup under load, restored and compared; then the same archive truncated and with flipped bits.
 * @param {Campaign} campaign
 * @param {Farm} farm
 * @param {number} damages how many damaged copies
 */
export async function backupAndRestore(campaign, farm, damages) {
  const { dist, place, dice, findings, tell } = campaign
  const archive = join(place, 'farm.tar.gz')
  const busy = farm.writers(6, 'backup')
  const before = farm.ledger.acknowledged
  await farm.untilAcknowledged(30, before)
  // Entries acknowledged now must be in the archive as they are, unless they change meanwhile.
  const settled = farm.ledger.entries.filter(({ pending }) => pending === null).map((entry) => ({ ...entry }))
  const during = farm.ledger.acknowledged
  const { code, stderr } = await furrow(dist, ['backup', archive, ...farm.where])
  const written = farm.ledger.acknowledged - during
  for (const { writer } of busy) writer.stop()
  await Promise.all(busy.map(({ ended }) => ended))
  const pause = Math.max(...busy.map(({ writer }) => writer.longestGap))
  findings.check(code === 0, `backup ended with ${code}: ${stderr}`)
  findings.check(written > 0, 'nobody could write during the backup')
  findings.check(pause < longestPause, `during the backup a writer waited ${Math.round(pause)} ms`)
  tell(`backup beside ${written} writes, longest wait ${Math.round(pause)} ms`)

  const restored = new Farm(campaign, 'restored', ['--data', join(place, 'restored')])
  const restoring = await furrow(dist, ['restore', archive, ...restored.where])
  findings.check(restoring.code === 0, `restore ended with ${restoring.code}: ${restoring.stderr}`)
  const untouched = settled.filter((old) =>
    farm.ledger.entries.some((now) => now.marker === old.marker && now.known === old.known),
  )
  await restored.startCopy()
  await compareAll({ client: restored.client, dice, findings }, untouched, 'in the restored farm')
  await restored.askDoctor('in the restored farm')
  await restored.stop()
  tell(`restored: ${untouched.length} acknowledged records compared`)
  for (let n = 0; n < damages; n++) await refuseDamaged(campaign, archive, n)
  return { writtenDuringBackup: written, damages }
}

/** @param {Campaign} campaign @param {string} archive @param {number} n */
async function refuseDamaged({ dist, place, dice, findings }, archive, n) {
  const damaged = join(place, `damaged-${n}.tar.gz`)
  await copyFile(archive, damaged)
  const bytes = await readFile(archive)
  const at = dice.whole(0, bytes.length - 1)
  const isCut = n % 2 === 0
  if (isCut) await truncate(damaged, at)
  else {
    bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.whole(0, 7))
    await writeFile(damaged, bytes)
  }
  const what = isCut
    ? `an archive of ${bytes.length} bytes cut at ${at}`
    : `an archive with a flipped bit at ${at} of ${bytes.length}`
  const verified = await furrow(dist, ['verify', damaged])
  findings.check(verified.code !== 0, `verify took ${what} for whole`)
  const target = join(place, `from-damaged-${n}`)
  const restored = await furrow(dist, ['restore', damaged, '--data', target])
  findings.check(restored.code !== 0, `restore took ${what}`)
  const left = await readdir(target).catch(() => /** @type {string[]} */ ([]))
  findings.check(!left.includes('farm.sqlite'), `restore of ${what} left ${left.join(', ')}`)
}
