import { randomBytes } from 'node:crypto'
import type { Snapshot, Transaction } from '../database.ts'
import { findSetting, putSetting } from '../settings.ts'
import { holdAlone } from '../sql/advisory-locks.ts'
import { ask, fragment, word } from '../sql/fragment.ts'
import { clusterSetting } from '../sql/table-fates.ts'

/**
 * The cluster that numbers the journal's transactions, with a random word: it detects a farm that was moved away and
 * back.
 */
export const clusterInSql = word(`(select value from setting where name = '${clusterSetting}')`)

/**
 * A farm that was dumped and loaded into another cluster has entries under numbers of transactions that mean nothing there: from then on
 * all of them are older than any. Places in the feed that were given before are known by the cluster, and are gone.
 */
export async function keepToCluster(tx: Transaction): Promise<void> {
  if (tx.engine === 'sqlite') return
  const cluster = await clusterOf(tx)
  const isNoted = async () => (await findSetting(tx, clusterSetting))?.startsWith(`${cluster} `)
  if (await isNoted()) return
  await holdAlone(tx, 'changes')
  const noted = await isNoted()
  if (noted) return
  if (noted === false) await ask(tx, fragment`update journal set xid = 0 where xid <> 0`)
  await putSetting(tx, clusterSetting, `${cluster} ${randomBytes(6).toString('base64url')}`)
}

async function clusterOf(snapshot: Snapshot): Promise<string> {
  const [may] = await ask<{ readonly control: number }>(
    snapshot,
    fragment`select has_function_privilege('pg_control_system()', 'execute') as control`,
  )
  const [found] = await ask<{ readonly cluster: string }>(snapshot, may?.control === 1 ? bySystem : byRow)
  return found?.cluster ?? ''
}

const bySystem = fragment`select system_identifier::text as cluster from pg_control_system()`

/** A row that is loaded is written by another transaction than the one that it was dumped from. */
const byRow = fragment`select 'row-' || min(xmin::text) as cluster from edition`
