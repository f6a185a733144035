import { realpathSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import type { Environment } from './environment.ts'

/** How this process was started. */
export interface Start {
  /** The file that Node was told to run, which may be a link to it. */
  readonly script: string
  readonly environment: Environment
}

/**
 * The words that call this program again. `npx furrow` only where whoever started it with npm stands inside its own folder:
 * anywhere else npm would fetch another package of that name.
 */
export function ownCommand({ script, environment }: Start): string {
  const program = realOf(script) ?? script
  if (isStartedByNpm(environment) && isInside(dirname(dirname(program)), environment.INIT_CWD)) return 'npx furrow'
  return isOnPath(program, environment) ? 'furrow' : `node ${quoted(program)}`
}

const isStartedByNpm = ({ npm_lifecycle_event: event }: Environment): boolean => event === 'start' || event === 'npx'

function isInside(folder: string, place: string | undefined): boolean {
  const real = place === undefined ? undefined : realOf(place)
  return real !== undefined && !/^\.\.(?:$|[/\\])/.test(relative(folder, real))
}

/** What npm puts on the path is there for its own children only. */
function isOnPath(program: string, { PATH = '' }: Environment): boolean {
  return PATH.split(delimiter).some(
    (folder) => folder !== '' && !folder.endsWith('node_modules/.bin') && realOf(join(folder, 'furrow')) === program,
  )
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

const quoted = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)
