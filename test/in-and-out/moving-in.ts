import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { loadFarm } from '../../src/cli/modules.ts'
import type { StoragePlace } from '../../src/storage/open.ts'
import { builtMain, furrow, type Outcome } from '../cli/built-furrow.ts'
import type { Farm } from '../farmos-server/data/farm.ts'
import { hillFarm, manager } from '../farmos-server/farms/hill-farm.ts'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

/** How a command is told which farm is meant. */
export const at = ({ data, database }: StoragePlace): string[] =>
  database === null ? ['--data', data] : ['--data', data, '--database', database]

const words = (address: string, place: StoragePlace, more: readonly string[]): string[] => [
  ...['import', 'farmos', address, '--user', manager.name, '--password-stdin', ...at(place), ...more],
]

/** Moves a farm in as its operator does, by password. */
export const moveIn = (address: string, place: StoragePlace, more: readonly string[] = []): Promise<Outcome> =>
  furrow(words(address, place, more), { input: `${manager.password}\n` })

/** The same with a token alone. */
export const moveInByToken = (address: string, token: string, { place, more = [] }: ByToken): Promise<Outcome> =>
  furrow(['import', 'farmos', address, '--token-stdin', ...at(place), ...more], { input: token })

interface ByToken {
  readonly place: StoragePlace
  readonly more?: readonly string[]
}

/** Begins to move in, and is killed as soon as it is time. Answers what ended it. */
export async function moveInUntil(
  args: { readonly address: string } & ByToken,
  time: () => Promise<unknown>,
): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [await builtMain(), ...words(args.address, args.place, args.more ?? [])])
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.stdin.end(`${manager.password}\n`)
  await Promise.race([time(), ended])
  child.kill('SIGKILL')
  await ended
  return child.signalCode
}

/** When a file or folder of that name is in the directory, or in one below it. */
export async function appears(directory: string, name: RegExp): Promise<void> {
  for (;;) {
    const there = await readdir(directory, { recursive: true }).catch(() => [])
    if (there.some((path) => name.test(path))) return
    await pause(5)
  }
}

/** The Hill Farm without anything that this farm does not have or works out in another way. */
export function plainHillFarm(): Farm {
  const farm = hillFarm()
  farm.logs = farm.logs.filter(({ name, bundle }) => !/purchase|sale/.test(bundle) && name !== 'Calf walked off')
  farm.tellsOfBlockedAccounts = true
  return farm
}

export interface MovedFarm {
  readonly farm: FarmUnderTest
  readonly client: Client
}

/** Serves a farm that was moved in. */
export async function served(place: StoragePlace, modules: readonly string[] = []): Promise<MovedFarm> {
  const farm = await openFarm({ place, farm: await loadFarm(modules) })
  return { farm, client: await farm.login() }
}
