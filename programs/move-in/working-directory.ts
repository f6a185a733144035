import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newUuid } from '../../src/records/writing/draft.ts'
import { Refusal } from '../../src/refusal.ts'
import { makeDirectory } from '../../src/storage/disk/data-directory.ts'

/** The id of a reading. The farm stores it once it has moved in. */
export interface ReadingIdentity {
  readonly id: string
  readonly url: string
}

interface NumberLine {
  readonly type: string
  readonly uuid: string
  readonly name: string
  readonly there: number
  readonly id: number
}

/** Stores what is read until the farm has moved in and was compared. */
export class WorkingDirectory {
  readonly path: string
  readonly name: ReadingIdentity

  constructor(path: string, name: ReadingIdentity) {
    this.path = path
    this.name = name
  }

  /** A folder inside, created if missing. */
  folder(name: string): string {
    const path = join(this.path, name)
    makeDirectory(path)
    return path
  }

  /** Lists the numbers that differ from those of the source, beside this directory. */
  writeNumbers(changes: readonly NumberLine[]): void {
    if (changes.length === 0) return
    const cell = (text: string | number) => `"${String(text).replaceAll('"', '""')}"`
    const lines = changes.map(({ type, uuid, name, there, id }) => [type, uuid, name, there, id].map(cell).join(','))
    writeFileSync(this.numbersFile, ['type,uuid,name,number there,number here', ...lines, ''].join('\r\n'), {
      mode: 0o600,
    })
  }

  get numbersFile(): string {
    return `${this.path}-numbers.csv`
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

interface ReadingStart {
  readonly data: string
  readonly url: string
  readonly how: 'anew' | 'resume'
  readonly now: number
}

const nameFile = 'reading.json'

export const directoryFor = ({ data, url }: Pick<ReadingStart, 'data' | 'url'>): string =>
  join(data, `farmos-${new URL(url).host.replaceAll(/[^a-z0-9.-]/gi, '_')}`)

/** The reading to resume; refused if another is in its place. */
export function earlierReading({ data, url, how }: Omit<ReadingStart, 'now'>): ReadingIdentity | undefined {
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

/** Begins a reading, or resumes the one that was begun. */
export function beginReading({ data, url, how, now }: ReadingStart): WorkingDirectory {
  const path = directoryFor({ data, url })
  const known = earlierReading({ data, url, how })
  if (known !== undefined) return new WorkingDirectory(path, known)
  makeDirectory(path)
  const name = { id: newUuid(now), url }
  writeFileSync(join(path, nameFile), `${JSON.stringify(name)}\n`, { mode: 0o600 })
  return new WorkingDirectory(path, name)
}

function nameIn(path: string): ReadingIdentity | undefined {
  try {
    const { id, url } = JSON.parse(readFileSync(join(path, nameFile), 'utf8'))
    return typeof id === 'string' && typeof url === 'string' ? { id, url } : undefined
  } catch {
    return undefined
  }
}
