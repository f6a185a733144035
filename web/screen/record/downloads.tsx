import type { JSX } from 'preact'
import { fileName } from '../../store/record.ts'

/** Files are saved, never opened here. */
export function Downloads({ paths }: { readonly paths: readonly string[] }): JSX.Element {
  return (
    <span class="downloads">
      {paths.map((path) => (
        <a class="btn" href={path} download={fileName(path)} key={path}>
          <bdi>{fileName(path)}</bdi>
        </a>
      ))}
    </span>
  )
}
