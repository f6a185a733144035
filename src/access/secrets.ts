import { createHash, createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database } from '../storage/database.ts'
import { claimSetting, findSetting } from '../storage/settings.ts'

/** 256 random bits that only their bearer gets to know; what is stored is their hash. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** Equal in constant time, whatever their lengths. */
export function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(expected).digest())
}

/** The installation's own key: made once, the same on every node, and another after a restore. */
async function installationSecret(database: Database): Promise<string> {
  const name = 'installation_secret'
  const stored = await database.ask((snapshot) => findSetting(snapshot, name))
  return stored ?? makeInstallationSecret(database, name)
}

async function makeInstallationSecret(database: Database, name: string): Promise<string> {
  const fresh = newSecret()
  if (await database.write((tx) => claimSetting(tx, name, fresh))) return fresh
  return (await database.read((snapshot) => findSetting(snapshot, name))) ?? fresh
}

/** A value that only this installation can work out, different for every purpose. */
export async function sealOf(database: Database, purpose: string, value: string): Promise<string> {
  const key = await installationSecret(database)
  return createHmac('sha256', key).update(purpose).update('\0').update(value).digest('base64url')
}

/** Bound to the session or bearer value and worked out again whenever it is needed, so that it need not be stored. */
export async function csrfTokenFor(database: Database, bond: string): Promise<string> {
  return sealOf(database, 'csrf', bond)
}

export async function isCsrfToken(database: Database, bond: string, given: string | undefined): Promise<boolean> {
  return given !== undefined && isSame(given, await csrfTokenFor(database, bond))
}
