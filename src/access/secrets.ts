import { createHash, createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database } from '../storage/database.ts'
import { claimSetting, findSetting } from '../storage/settings.ts'

/** 256 random bits for the bearer; only their hash is stored. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** Compares in constant time, whatever the lengths. */
export function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(expected).digest())
}

/** The installation's secret: created once, the same on every node, replaced after a restore. */
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

/** A MAC under the installation's secret, different for every purpose. */
export async function sealOf(database: Database, purpose: string, value: string): Promise<string> {
  const key = await installationSecret(database)
  return createHmac('sha256', key).update(purpose).update('\0').update(value).digest('base64url')
}

/** Derived from the session or bearer value, so that it need not be stored. */
export async function csrfTokenFor(database: Database, bond: string): Promise<string> {
  return sealOf(database, 'csrf', bond)
}

export async function isCsrfToken(database: Database, bond: string, given: string | undefined): Promise<boolean> {
  return given !== undefined && isSame(given, await csrfTokenFor(database, bond))
}
