import { isUtf8 } from 'node:buffer'
import { encoded, soundFileName } from '../../fields/file-name.ts'

export interface NamedContent {
  /** Values of quoted strings and tokens, by parameter name. */
  readonly parameters: ReadonlyMap<string, string>
  /** The sender's file name, sanitised; undefined without one. */
  readonly fileName: string | undefined
  readonly form: 'extended' | 'quoted' | 'bare'
}

/** Reads a Content-Disposition (RFC 6266), as Node gives headers: a character for each byte. `filename*` wins over `filename`. */
export function contentDispositionIn(header: string): NamedContent {
  const parameters = new Map<string, string>()
  let form: NamedContent['form'] = 'bare'
  for (const [, name = '', quoted, bare = ''] of header.matchAll(parameter)) {
    const key = name.toLowerCase()
    if (parameters.has(key)) continue
    parameters.set(key, quoted === undefined ? bare.trim() : quoted.replace(/\\(["\\])/g, '$1'))
    if (key === 'filename' && quoted !== undefined) form = 'quoted'
  }
  const extended = extendedValue(parameters.get('filename*') ?? '')
  if (extended !== undefined) return { parameters, fileName: extended, form: 'extended' }
  return { parameters, fileName: soundFileName(textOf(parameters.get('filename') ?? '')), form }
}

/** A quoted string is taken as a whole: what looks like a parameter in it is none. */
const parameter = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g

/** RFC 8187. One that is not understood is as good as none (RFC 6266, section 4.3). */
function extendedValue(value: string): string | undefined {
  const [, percents] = /^utf-8'[^']*'(.*)$/i.exec(value) ?? []
  try {
    return percents === undefined ? undefined : soundFileName(decodeURIComponent(percents))
  } catch {
    return undefined
  }
}

/** Browsers send UTF-8, whatever the RFC says; others Latin-1. */
function textOf(bytes: string): string {
  const buffer = Buffer.from(bytes, 'latin1')
  return isUtf8(buffer) ? buffer.toString('utf8') : bytes
}

/** Content to be saved under a name of any script: in ASCII, and where that is not all of it as RFC 8187 has it. */
export function attachmentNamed(name: string): string {
  const sound = soundFileName(name) ?? 'file'
  const ascii = sound
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]+|["\\%]/g, '_')
  const whole = `attachment; filename="${ascii}"`
  return ascii === sound ? whole : `${whole}; filename*=UTF-8''${encoded(sound)}`
}
