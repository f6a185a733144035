import { readdir, readFile } from 'node:fs/promises'
import { Refusal } from '../../refusal.ts'
import { documentationFolder } from '../../shipped-folders.ts'
import { Html } from '../http/html.ts'

/** The titles of all pages by name, as the build has written them: read when asked for, so that no start waits for them. */
export async function readTitles(): Promise<ReadonlyMap<string, string>> {
  return new Map(Object.entries(JSON.parse(await readBuilt('titles.json'))))
}

/** The text of a page that has a title. The build has escaped whatever is not its own markup. */
export const readText = async (name: string): Promise<Html> => new Html(await readBuilt(`${name}.html`))

/** A picture of the pages, or undefined: only a name that the build has put there becomes a file's. */
export async function readPicture(name: string): Promise<Buffer | undefined> {
  const folder = new URL('pictures/', documentationFolder)
  const names = await readdir(folder).catch((): string[] => [])
  return names.includes(name) ? readFile(new URL(encodeURIComponent(name), folder)) : undefined
}

async function readBuilt(file: string): Promise<string> {
  try {
    return await readFile(new URL(file, documentationFolder), 'utf8')
  } catch (cause) {
    const advice = 'whoever runs this server builds it again with `npm run build`.'
    throw new Refusal('not-found', `The documentation is missing from this installation: ${advice}`, { cause })
  }
}
