//! QR codes as one path of an SVG.

use super::second_factor::QrPicture;
use qrcode::{Color, QrCode};

/// Modules that stay light around a code.
const QUIET: usize = 4;

/// The code of a text; nothing, where it is too long for one.
#[must_use]
pub fn picture(text: &str) -> Option<QrPicture> {
    let code = QrCode::new(text).ok()?;
    let (width, colours) = (code.width(), code.into_colors());
    let dark = colours.iter().enumerate().filter(|(_, colour)| **colour == Color::Dark);
    let squares = dark.map(|(at, _)| format!("M{} {}h1v1h-1z", at % width + QUIET, at / width + QUIET));
    Some(QrPicture { edge: width + 2 * QUIET, path: squares.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The three corners by which every reader finds a code.
    #[test]
    fn a_picture_has_its_corners_and_a_quiet_zone() {
        let picture = picture("otpauth://totp/Recordgate:amina?secret=GEZDGNBVGY3TQOJQ").unwrap();
        let far = picture.edge - QUIET - 1;
        for corner in [(QUIET, QUIET), (far, QUIET), (QUIET, far)] {
            assert!(picture.path.contains(&format!("M{} {}h1", corner.0, corner.1)), "{corner:?}");
        }
        assert!(!picture.path.contains("M3 ") && !picture.path.contains(" 3h1"));
        assert!(super::picture(&"x".repeat(5000)).is_none());
    }
}
