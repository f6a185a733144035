import type { JSX } from 'preact'

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

export function fileName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
