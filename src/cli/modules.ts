import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Farm } from '../farm/farm.ts'
import { faultsOfFarm } from '../farm/farm-validation.ts'
import { laterWordsOfModules, withFreeNames, withOwnWords } from '../farm/free-names.ts'
import { kit } from '../farm/module.ts'
import { stockFarm } from '../farm/stock-farm.ts'
import { importModule } from '../import-module.ts'
import { Refusal } from '../refusal.ts'
import { messageOf } from '../storage/sql/errors.ts'
import { warn } from './terminal.ts'

/** The stock farm extended by each module, in the order given. */
export async function loadFarm(paths: readonly string[]): Promise<Farm> {
  let farm: Farm = stockFarm
  for (const path of paths) farm = await applyModule(farm, path)
  for (const field of laterWordsOfModules(farm))
    warn(
      `The module's field ${field} has a word that Furrow now uses for itself. The module keeps it; give it another name.`,
    )
  return farm
}

async function applyModule(farm: Farm, path: string): Promise<Farm> {
  const module = await defaultOf(path)
  if (typeof module !== 'function') {
    throw new Refusal('bad-request', `The module ${path} has no default export that is a function of the farm.`)
  }
  try {
    return soundFarm(path, asFarm(path, await module(farm, kit)))
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('bad-request', `The module ${path} failed: ${messageOf(error)}`)
  }
}

async function defaultOf(path: string): Promise<unknown> {
  try {
    return (await importModule(pathToFileURL(resolve(path)).href)).default
  } catch (error) {
    throw new Refusal('bad-request', `The module ${path} could not be loaded: ${messageOf(error)}`)
  }
}

function asFarm(path: string, given: unknown): Farm {
  if (typeof given === 'object' && given !== null && 'records' in given && 'clients' in given) return given as Farm
  throw new Refusal('bad-request', `The module ${path} did not return a farm.`)
}

function soundFarm(path: string, given: Farm): Farm {
  const farm = withOwnWords(given)
  const faults = faultsOfFarm(farm)
  if (faults.length === 0) return withFreeNames(farm)
  throw new Refusal('bad-request', `The module ${path} describes what cannot be recorded:`, { faults })
}
