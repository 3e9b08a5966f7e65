/** Colours are told apart by colour-blind readers, too (Okabe and Ito 2008), and in grey by their lightness. */
export const STYLE = `
:root{color-scheme:light}*{box-sizing:border-box}
body{margin:0 auto;max-width:940px;padding:20px 32px 40px;font:15px/1.45 system-ui,sans-serif;color:#1c1c1c;background:#fff}
header{border-bottom:2px solid #1c1c1c;margin-bottom:18px}h1{margin:0;font-size:26px;overflow-wrap:anywhere}header p{margin:2px 0 10px;color:#555}
h2{font-size:16px;margin:24px 0 6px}h3{font-size:14px;margin:18px 0 6px}p{margin:4px 0 8px}section{break-inside:auto}.figure{break-inside:avoid}
.sentence{font-size:17px;border-left:4px solid #0072b2;padding:4px 0 4px 12px;margin:8px 0 14px}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(190px,1fr));gap:10px;margin:0}
.facts div{border:1px solid #d8d6d0;border-radius:5px;padding:8px 10px}dt{font-size:12px;color:#555}dd{margin:0}
dd b{display:block;font-size:20px;font-variant-numeric:tabular-nums}dd span{font-size:12px;color:#444;overflow-wrap:anywhere}
svg{display:block;width:100%;height:auto}
svg text{font:11px system-ui,sans-serif;fill:#444}.tick.end{text-anchor:end}.tick.mid{text-anchor:middle}svg .name{font-size:13px;fill:#1c1c1c}
.label,.star-label{text-anchor:middle}.grid{stroke:#e4e2dc}.axis{stroke:#444}.pipe{fill:#0072b2}.other{fill:#b8b4aa}
.range{fill:#f0e442;fill-opacity:.45}.star{stroke:#000;stroke-width:1.4}svg .star-label{font-weight:600;fill:#000;font-size:12px}
.key{font-size:13px}.key span{margin-right:16px;white-space:nowrap}.key i,.dot{display:inline-block;width:11px;height:11px;border-radius:2px;margin-right:5px;vertical-align:-1px}
.range-key{background:#f7f0a0;border:1px solid #c9bf3c}
table{border-collapse:collapse;width:100%;font-size:13px;margin-top:10px}th,td{text-align:left;padding:3px 8px 3px 0;border-bottom:1px solid #e4e2dc;vertical-align:top}
th{font-weight:600}.n{text-align:right;font-variant-numeric:tabular-nums;width:1%;white-space:nowrap}.t{white-space:nowrap;font-variant-numeric:tabular-nums}
.url,.proof td{overflow-wrap:anywhere}.proof th{white-space:nowrap;padding-right:16px}code{font:12px ui-monospace,monospace;color:#444}
.pages tr{break-inside:avoid}.pages thead{display:table-header-group}
@page{margin:15mm}
@media print{body{max-width:none;padding:0;font-size:12px}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}details{display:block}}
`;
