//! The least PDF that every reader opens: one page of A4 with lines of text in Helvetica.

use std::fmt::Write as _;

/// Lines of one page; what is beyond them is left out.
const MOST_LINES: usize = 48;

/// A page with these lines.
pub fn page(lines: &[String]) -> Vec<u8> {
    let mut text = String::from("BT /F1 11 Tf 15 TL 72 770 Td\n");
    for line in lines.iter().take(MOST_LINES) {
        // Writing to a text cannot fail.
        let _written = writeln!(text, "({}) Tj T*", escaped(line));
    }
    text.push_str("ET");
    document(&[
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R >> >> >>",
        &format!("<< /Length {} >>\nstream\n{text}\nendstream", text.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ])
}

/// The objects one after the other, and the table that says where each begins.
fn document(objects: &[&str]) -> Vec<u8> {
    let (mut file, mut table) = (String::from("%PDF-1.4\n"), String::from("0000000000 65535 f \n"));
    for (number, object) in (1..).zip(objects) {
        let _written = writeln!(table, "{:010} 00000 n ", file.len());
        let _written = writeln!(file, "{number} 0 obj\n{object}\nendobj");
    }
    let (begins, size) = (file.len(), objects.len() + 1);
    let _written =
        write!(file, "xref\n0 {size}\n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{begins}\n%%EOF\n");
    file.into_bytes()
}

/// A line inside parentheses. Only ASCII is written, because one byte per letter is what the font expects.
fn escaped(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    for letter in line.chars() {
        match letter {
            '(' | ')' | '\\' => text.extend(['\\', letter]),
            ' '..='~' => text.push(letter),
            _ => text.push('?'),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_begins_where_the_table_says() {
        let file = String::from_utf8(page(&["Dear (Amina) \\ Ms Åberg,".into(), "well done".into()])).unwrap();
        assert!(file.starts_with("%PDF-1.4\n") && file.ends_with("%%EOF\n"));
        assert!(file.contains("(Dear \\(Amina\\) \\\\ Ms ?berg,) Tj"));
        let (_, table) = file.split_once("\nxref\n0 6\n").unwrap();
        for (number, line) in table.lines().skip(1).take(5).enumerate() {
            let begins: usize = line[..10].parse().unwrap();
            assert!(file[begins..].starts_with(&format!("{} 0 obj\n", number + 1)), "{line}");
            assert_eq!(line.len(), 19, "twenty bytes with the end of the line");
        }
        let (_, begins) = file.split_once("startxref\n").unwrap();
        let begins: usize = begins.lines().next().unwrap().parse().unwrap();
        assert!(file[begins..].starts_with("xref\n"));
        let (before, rest) = file.split_once("stream\n").unwrap();
        let length: usize = before.rsplit("/Length ").next().unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!(rest[length..].starts_with("\nendstream"));
    }
}
