//! Pages as a browser sees them: their forms and hidden fields, found in the HTML.

use super::reply::Reply;

/// One HTML page.
#[derive(Clone, Debug)]
pub struct Page {
    pub html: String,
}

/// One form of a page.
#[derive(Clone, Debug)]
pub struct Form {
    pub action: String,
    pub sealed: String,
}

impl Page {
    pub fn of(reply: &Reply) -> Self {
        assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"), "{}", reply.text());
        Self { html: reply.text() }
    }

    /// The page's forms, each with its sealed value.
    pub fn forms(&self) -> Vec<Form> {
        let form = |html: &str| {
            let inside = html.split("</form>").next().unwrap();
            Form { action: attribute(inside, "action="), sealed: attribute(inside, "name=\"form\" value=") }
        };
        self.html.split("<form").skip(1).map(form).collect()
    }

    /// The one form whose action is `word`, or else contains it.
    pub fn form(&self, word: &str) -> Form {
        let mut forms = self.forms();
        if let Some(exact) = forms.iter().position(|form| form.action == word) {
            return forms.swap_remove(exact);
        }
        let mut found = forms.into_iter().filter(|form| form.action.contains(word));
        let form = found.next().unwrap_or_else(|| panic!("no form with {word} in its action: {}", self.html));
        assert!(found.next().is_none(), "several forms with {word} in their action");
        form
    }

    /// The authorization page's hidden field.
    pub fn hidden_form(&self) -> &str {
        let (_, after) = self.html.split_once("name=\"form\" value=\"").expect("a hidden field");
        after.split('"').next().unwrap()
    }

    /// Where the authorization page's form is sent.
    pub fn action(&self) -> &str {
        assert!(self.html.contains("action=\"/apiAuthorize.action\""), "{}", self.html);
        "/apiAuthorize.action"
    }

    /// The refresh token that a coordinator is shown.
    pub fn refresh_token(&self) -> Option<&str> {
        let (_, after) = self.html.split_once("<output id=\"refresh-token\">")?;
        after.split('<').next()
    }
}

impl Reply {
    pub fn page(&self) -> Page {
        Page::of(self)
    }
}

fn attribute(html: &str, before: &str) -> String {
    let (_, after) = html.split_once(before).unwrap_or_else(|| panic!("no {before} in {html}"));
    after.trim_start_matches('"').split('"').next().unwrap().to_owned()
}
