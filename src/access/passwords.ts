import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '../refusal.ts'

/** argon2id, which is the library's default. */
const strength = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const passwordBytes = { least: 8, most: 1024 } as const

export interface NewPassword {
  readonly password: string
  readonly allowWeakPassword?: boolean
}

export async function hashPassword({ password, allowWeakPassword }: NewPassword): Promise<string> {
  requireLength(password, allowWeakPassword ? 1 : passwordBytes.least)
  return hash(password, strength)
}

export function requirePasswordLength(password: string): string {
  requireLength(password, passwordBytes.least)
  return password
}

function requireLength(password: string, least: number): void {
  const length = Buffer.byteLength(password)
  if (length < least) {
    throw new Refusal('invalid-content', `The password is too short: it needs at least ${least} characters.`)
  }
  if (length > passwordBytes.most) {
    throw new Refusal('invalid-content', `The password is too long: it may have ${passwordBytes.most} bytes.`)
  }
}

let nobodys: Promise<string> | undefined

/** Takes the same time for a missing account (null), so that timing reveals nothing. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  if (Buffer.byteLength(password) > passwordBytes.most) return false
  nobodys ??= hash('nobody has this password', strength)
  const right = await verify(passwordHash ?? (await nobodys), password)
  return right && passwordHash !== null
}
