import type { WorkspaceFile } from '../jail/read-tree.js'

/** The files directly in a folder, and the folders in it with the number of files below each. */
export function countFolders(files: readonly WorkspaceFile[], folder: string): readonly string[] {
  const start = folder === '' ? 0 : folder.length + 1
  const counts = new Map<string, number>()
  const lines: string[] = []
  for (const { path, sizeBytes } of files) {
    const end = path.indexOf('/', start)
    if (end < 0) lines.push(`${path} (${sizeBytes} bytes)`)
    else counts.set(path.slice(0, end + 1), (counts.get(path.slice(0, end + 1)) ?? 0) + 1)
  }
  return [...lines, ...[...counts].map(([path, count]) => `${path} (${count} files)`)].sort()
}
