// Tables as files.

/** The rows as comma-separated values. */
export function csv(header, rows) {
  const cell = (one) => (/[",\n]/.test(String(one ?? "")) ? `"${String(one).replaceAll('"', '""')}"` : String(one ?? ""));
  return [header, ...rows].map((row) => row.map(cell).join(",")).join("\n") + "\n";
}
