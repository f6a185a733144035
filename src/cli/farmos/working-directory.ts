import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newUuid } from '../../records/writing/uuids.ts'
import { Refusal } from '../../refusal.ts'
import { makeDirectory } from '../../storage/disk/data-directory.ts'

/** Which reading this is: the farm notes it once it is there. */
export interface ReadingName {
  readonly id: string
  readonly url: string
}

/** Where what is read is kept until the farm is there and compared. */
export class WorkingDirectory {
  readonly path: string
  readonly name: ReadingName

  constructor(path: string, name: ReadingName) {
    this.path = path
    this.name = name
  }

  /** A folder inside, made where it is missing. */
  folder(name: string): string {
    const path = join(this.path, name)
    makeDirectory(path)
    return path
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

interface Begin {
  readonly data: string
  readonly url: string
  readonly how: 'anew' | 'resume'
  readonly now: number
}

const nameFile = 'reading.json'

export const directoryFor = ({ data, url }: Pick<Begin, 'data' | 'url'>): string =>
  join(data, `farmos-${new URL(url).host.replaceAll(/[^a-z0-9.-]/gi, '_')}`)

/** The reading that is to be gone on with; refused where another is in its place. */
export function earlierReading({ data, url, how }: Omit<Begin, 'now'>): ReadingName | undefined {
  const path = directoryFor({ data, url })
  const known = nameIn(path)
  if (how === 'anew' && existsSync(path)) {
    throw new Refusal(
      'conflict',
      `An earlier reading is in ${path}. Go on with it by --resume, or delete that directory to begin anew.`,
    )
  }
  if (known !== undefined && known.url !== url) {
    throw new Refusal(
      'conflict',
      `What is in ${path} was read from ${known.url}. Give that address, or delete the directory.`,
    )
  }
  return known
}

/** Begins a reading, or goes on with the one that was begun. */
export function beginReading({ data, url, how, now }: Begin): WorkingDirectory {
  const path = directoryFor({ data, url })
  const known = earlierReading({ data, url, how })
  if (known !== undefined) return new WorkingDirectory(path, known)
  makeDirectory(path)
  const name = { id: newUuid(now), url }
  writeFileSync(join(path, nameFile), `${JSON.stringify(name)}\n`, { mode: 0o600 })
  return new WorkingDirectory(path, name)
}

function nameIn(path: string): ReadingName | undefined {
  try {
    const { id, url } = JSON.parse(readFileSync(join(path, nameFile), 'utf8'))
    return typeof id === 'string' && typeof url === 'string' ? { id, url } : undefined
  } catch {
    return undefined
  }
}
